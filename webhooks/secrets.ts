/**
 * Endpoints' signing secrets at rest: AES-256-GCM under a key of the settings. A sealed secret is
 * `1 | key id (4 bytes) | nonce (12) | tag (16) | ciphertext`, bound to its owner's id as associated data, so that one
 * row's bytes mean nothing in another row.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import * as z from "zod";
import { randomBase62 } from "../storage/ids.ts";

const VERSION = 1;
const KEY_ID = { start: 1, end: 5 };
const NONCE_END = 17;
const TAG_END = 33;

/** Shown once, in the answer to the creation. 32 characters are 190 random bits. */
export const newWebhookSecret = () => `whsec_${randomBase62(32)}`;

/** 32 bytes each; the first seals, all open. */
export type SecretsKeys = readonly Buffer[];

export interface SecretBox {
  seal(secret: string, owner: string): Buffer;
  /** Throws SecretUnreadable when none of the keys sealed it, or it was sealed for another owner. */
  open(sealed: Uint8Array, owner: string): string;
  /** False for what an older key sealed. */
  isCurrent(sealed: Uint8Array): boolean;
}

/** A fault of the settings or of the row, never of the receiver. Says the key's id, and nothing of the secret. */
export class SecretUnreadable extends Error {
  override name = "SecretUnreadable";
}

export const SECRETS_KEY =
  "Keys of the webhook secrets in the database, 32 bytes of base64 each, separated by commas: the first encrypts, all decrypt. `escriba secrets rotate` moves everything to the first.";

/** Field of a process's settings: keys in base64, separated by commas. */
export const secretsKeySetting = () =>
  z
    .string()
    .transform((text, context) => {
      const keys = text
        .split(",")
        .map((key) => key.trim())
        .filter((key) => key !== "")
        .map((key) => Buffer.from(key, "base64"));
      if (keys.length > 0 && keys.every((key) => key.length === 32)) return keys as SecretsKeys;
      context.addIssue({
        code: "custom",
        message:
          "must be 32 bytes in base64 (make one with `openssl rand -base64 32`), or several, separated by commas",
      });
      return z.NEVER;
    })
    .describe(SECRETS_KEY);

export function createSecretBox(keys: SecretsKeys): SecretBox {
  const byId = new Map([...keys].reverse().map((key) => [idOf(key), key]));
  const [first] = keys;
  if (!first) throw new RangeError("a secret box needs a key");
  const current = idOf(first);
  return {
    seal(secret, owner) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", first, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), Buffer.from(current, "hex"), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed);
      const id = keyIdOf(bytes);
      const key = bytes[0] === VERSION ? byId.get(id) : undefined;
      if (!key) throw new SecretUnreadable(`no key of ESCRIBA_SECRETS_KEY has the id ${id} of the secret of ${owner}`);
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(KEY_ID.end, NONCE_END))
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(NONCE_END, TAG_END));
        return decipher.update(bytes.subarray(TAG_END), undefined, "utf8") + decipher.final("utf8");
      } catch (error) {
        throw new SecretUnreadable(`the secret of ${owner} is not what key ${id} sealed`, { cause: error });
      }
    },
    isCurrent: (sealed) => sealed[0] === VERSION && keyIdOf(sealed) === current,
  };
}

/** Says which key sealed a secret without saying anything about the key. */
function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

function keyIdOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(KEY_ID.start, KEY_ID.end)).toString("hex");
}
