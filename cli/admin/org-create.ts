import { parseAmount } from "../../billing/money.ts";
import { createOrganization, putMember, RETENTIONS } from "../../storage/organizations.ts";
import { type Command, UsageError } from "../command.ts";
import { administer, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { positionals, values, json } = readArguments(args, ["SLUG"], {
    retention: { type: "string" },
    "credit-low": { type: "string" },
    "spend-cap": { type: "string" },
    owner: { type: "string" },
  });
  const [slug = ""] = positionals;
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
    throw new UsageError(
      `SLUG has 1 to 63 lower case letters, digits and inner hyphens; ${JSON.stringify(slug)} is none`,
    );
  }
  const retention = RETENTIONS.find((name) => name === (values.retention ?? "none"));
  if (!retention) throw new UsageError(`--retention is one of ${RETENTIONS.join(", ")}`);
  const { owner } = values;
  if (owner !== undefined && !/^[^\s@]+@[^\s@]+$/.test(owner)) throw new UsageError("--owner is an e-mail address");
  const wanted = {
    slug,
    defaultRetention: retention,
    creditLowThresholdEur: amount("--credit-low", values["credit-low"]),
    spendCapEur: amount("--spend-cap", values["spend-cap"]),
  };
  return administer(io, json, async (db) => {
    const organization = await createOrganization(db, wanted);
    if (owner !== undefined) await putMember(db, { organizationId: organization.id, email: owner, role: "owner" });
    return {
      json: { id: organization.id, slug, default_retention: retention },
      text: `Organization ${slug} created (${organization.id}).\nNext: escriba credit add ${slug} 25 && escriba key create ${slug}`,
    };
  });
}

function amount(option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return parseAmount(text);
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`);
  }
}

export const orgCreate: Command = {
  usage: "SLUG [--retention none|24h|7d|30d] [--credit-low EUR] [--spend-cap EUR] [--owner EMAIL] [--json]",
  details: "--credit-low: balance below which the event credit.low is sent. --owner: who gets the organization's mail.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
