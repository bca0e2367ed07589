import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAuthority, type Identity } from "../support/certificate.ts";

export interface IdentityFiles extends Identity {
  certFile: string;
  keyFile: string;
}

/** What proves who is who in a control plane. */
export interface Pki {
  /** PEM of the authority, and where it is as a file. */
  authority: string;
  authorityFile: string;
  server: IdentityFiles;
  /** By which the API server asks a kubelet. */
  kubeletClient: IdentityFiles;
  /** Service account tokens are signed with the one and checked with the other. */
  tokens: { privateFile: string; publicFile: string };
  /** A client's certificate for a user and its groups. */
  client(user: string, groups?: string[]): Identity;
  /** A server's certificate for these names and addresses, and where it is as files called after `file`. */
  serve(file: string, names: string[]): Promise<IdentityFiles>;
}

/** Made anew for each control plane, in `directory`. `addresses`: of the API server, besides loopback. */
export async function createPki(directory: string, addresses: string[] = []): Promise<Pki> {
  const authority = createAuthority("Escriba test cluster");
  const tokens = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keep = async (name: string, text: string | Buffer) => {
    const file = join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const keepIdentity = async (name: string, identity: Identity): Promise<IdentityFiles> => ({
    ...identity,
    certFile: await keep(`${name}.pem`, identity.cert),
    keyFile: await keep(`${name}-key.pem`, identity.key),
  });
  const serve = (file: string, names: string[]) => keepIdentity(file, authority.issue(names));
  return {
    authority: authority.cert,
    authorityFile: await keep("authority.pem", authority.cert),
    server: await serve("server", ["127.0.0.1", "localhost", "kubernetes.default.svc", ...addresses]),
    kubeletClient: await keepIdentity("kubelet-client", authority.issueTo("kubelet-client", ["system:masters"])),
    tokens: {
      privateFile: await keep("tokens-key.pem", tokens.privateKey.export({ type: "pkcs8", format: "pem" })),
      publicFile: await keep("tokens.pem", tokens.publicKey.export({ type: "spki", format: "pem" })),
    },
    client: (user, groups) => authority.issueTo(user, groups),
    serve,
  };
}
