import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { addCredit } from "../billing/credit.ts";
import { createApiKey, findApiKey } from "../storage/api-keys.ts";
import { closeDatabase, createDatabase, type Database } from "../storage/database.ts";
import { createOrganization, findOrganization } from "../storage/organizations.ts";

const SLUG = "local";
/** About 250 hours of recordings; `escriba credit add` gives more. */
const CREDIT_EUR = "100";

const KeyFile = z.object({ api_key: z.string() });

/**
 * The organization, key and credit that a first start makes. Every step may be repeated, so a start that was killed in
 * between is completed by the next. The database keeps only the key's hash: the key itself is in `keyFile`, and a lost
 * or revoked one is replaced.
 */
export async function firstOrganization(databaseUrl: string, keyFile: string): Promise<{ apiKey: string }> {
  const database = createDatabase(databaseUrl, { maxConnections: 2 });
  try {
    const organization =
      (await findOrganization(database, SLUG)) ?? (await createOrganization(database, { slug: SLUG }));
    await addCredit(database, {
      organizationId: organization.id,
      amountEur: CREDIT_EUR,
      reference: "first-start",
      note: "credit of the embedded stack's first start",
    });
    const kept = await usableKey(database, keyFile);
    if (kept) return { apiKey: kept };
    const { plaintext } = await createApiKey(database, { organizationId: organization.id, name: "embedded stack" });
    await writeFile(keyFile, `${JSON.stringify({ api_key: plaintext }, null, 2)}\n`, { mode: 0o600 });
    return { apiKey: plaintext };
  } finally {
    await closeDatabase(database);
  }
}

async function usableKey(database: Database, keyFile: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(keyFile, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const parsed = KeyFile.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const key = await findApiKey(database, parsed.data.api_key);
  return key && !key.revokedAt ? parsed.data.api_key : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
