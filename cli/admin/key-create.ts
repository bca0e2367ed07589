import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { createApiKey, SCOPES, type Scope } from "../../storage/api-keys.ts";
import { type Command, UsageError } from "../command.ts";
import { administer, organizationNamed, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { positionals, values, json } = readArguments(args, ["ORGANIZATION"], {
    name: { type: "string", default: "" },
    scope: { type: "string", multiple: true },
    ip: { type: "string", multiple: true },
  });
  const scopes = values.scope?.map(scopeNamed) ?? [...SCOPES];
  const ipAllowlist = values.ip?.map(checkedRange) ?? [];
  return administer(io, json, async (db) => {
    const organization = await organizationNamed(db, positionals[0] ?? "");
    const { key, plaintext } = await createApiKey(db, {
      organizationId: organization.id,
      name: values.name ?? "",
      scopes,
      ipAllowlist,
    });
    return {
      json: { id: key.id, api_key: plaintext, organization: organization.slug, scopes, ip_allowlist: ipAllowlist },
      text: `${plaintext}\n\nKey ${key.id} of ${organization.slug}. It is shown this once: keep it now.`,
    };
  });
}

function scopeNamed(text: string): Scope {
  const scope = SCOPES.find((name) => name === text);
  if (!scope) throw new UsageError(`--scope is one of ${SCOPES.join(", ")}`);
  return scope;
}

function checkedRange(text: string): string {
  // ipaddr.js alone would read 10.0.0 as 10.0.0.0, as inet_aton does.
  const [address = "", length] = text.split("/");
  if (!isIP(address) || (length !== undefined && !ipaddr.isValidCIDR(text))) {
    throw new UsageError(`--ip is an address or a range such as 203.0.113.0/24; ${JSON.stringify(text)} is neither`);
  }
  return text;
}

export const keyCreate: Command = {
  usage: "ORGANIZATION [--name NAME] [--scope SCOPE]… [--ip RANGE]… [--json]",
  details: `Prints a new API key. ORGANIZATION is a slug or an id. Without --scope it has all of ${SCOPES.join(", ")}.`,
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
