import { readSettings } from "../../process/settings.ts";
import { rotateSecrets } from "../../webhooks/endpoints.ts";
import { createSecretBox, secretsKeySetting } from "../../webhooks/secrets.ts";
import type { Command } from "../command.ts";
import { AdminError, administer, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

const settings = adminSettings.extend({ ESCRIBA_SECRETS_KEY: secretsKeySetting() });

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { json } = readArguments(args, [], {});
  const box = createSecretBox(readSettings(settings, io.env).ESCRIBA_SECRETS_KEY);
  return administer(io, json, async (db) => {
    const { rotated, unreadable } = await rotateSecrets(db, box);
    if (unreadable.length > 0) {
      throw new AdminError(
        `${rotated} secrets are encrypted with the first key now; no key of ESCRIBA_SECRETS_KEY opens those of ${unreadable.join(", ")}`,
      );
    }
    return { json: { rotated }, text: `${rotated} secrets are encrypted with the first key now; none needs another.` };
  });
}

export const secretsRotate: Command = {
  usage: "[--json]",
  details:
    "To change the key: put a new one in front (NEW,OLD) for the API and the webhooks workers, run this, then take the " +
    "old one away.",
  settings,
  run: (args) => run(args, terminal),
};
