import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/**
 * The key that encrypts webhook secrets in this stack's database, in base64: made by the first start and kept in
 * `path`, readable by its owner only. Whoever loses it creates the webhooks again.
 */
export async function secretsKey(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = randomBytes(32).toString("base64");
  await writeFile(path, `${key}\n`, { mode: 0o600 });
  return key;
}
