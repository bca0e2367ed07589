import { API_KEY_FORM, findApiKey, revokeApiKey } from "../../storage/api-keys.ts";
import { type Command, UsageError } from "../command.ts";
import { AdminError, administer, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { positionals, json } = readArguments(args, ["KEY"], {});
  const [name = ""] = positionals;
  const isPlaintext = API_KEY_FORM.test(name);
  if (!isPlaintext && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) {
    throw new UsageError("KEY is the id that `escriba key create` printed, or the key itself");
  }
  return administer(io, json, async (db) => {
    const id = isPlaintext ? (await findApiKey(db, name))?.id : name;
    const revokedAt = id ? await revokeApiKey(db, id) : null;
    if (!id || !revokedAt) throw new AdminError("there is no such key");
    return {
      json: { id, revoked_at: revokedAt.toISOString() },
      text: `Key ${id} is revoked since ${revokedAt.toISOString()}; it may still work for up to 30 seconds.`,
    };
  });
}

export const keyRevoke: Command = {
  usage: "KEY [--json]",
  details: "KEY is the key's id, or the key itself.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
