import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAuthority, type Identity } from "../support/certificate.ts";

/** What proves who is who in a control plane. */
export interface Pki {
  /** PEM of the authority, and where it is as a file. */
  authority: string;
  authorityFile: string;
  server: Identity & { certFile: string; keyFile: string };
  /** Service account tokens are signed with the one and checked with the other. */
  tokens: { privateFile: string; publicFile: string };
  /** A client's certificate for a user and its groups. */
  client(user: string, groups?: string[]): Identity;
}

/** Made anew for each control plane, in `directory`. */
export async function createPki(directory: string): Promise<Pki> {
  const authority = createAuthority("Escriba test cluster");
  const server = authority.issue(["127.0.0.1", "localhost", "kubernetes.default.svc"]);
  const tokens = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keep = async (name: string, text: string | Buffer) => {
    const file = join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  return {
    authority: authority.cert,
    authorityFile: await keep("authority.pem", authority.cert),
    server: {
      ...server,
      certFile: await keep("server.pem", server.cert),
      keyFile: await keep("server-key.pem", server.key),
    },
    tokens: {
      privateFile: await keep("tokens-key.pem", tokens.privateKey.export({ type: "pkcs8", format: "pem" })),
      publicFile: await keep("tokens.pem", tokens.publicKey.export({ type: "spki", format: "pem" })),
    },
    client: (user, groups) => authority.issueTo(user, groups),
  };
}
