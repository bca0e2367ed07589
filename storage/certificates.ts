import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";

/**
 * Node's trusted certificates and those of a PEM file: where a company's own authority signs. Undefined without a file,
 * which means Node's own. Rejects, naming the file, when it holds no certificate.
 */
export async function trustedCertificates(file: string | null): Promise<readonly string[] | undefined> {
  if (file === null) return undefined;
  let own: string[];
  try {
    own = (await readFile(file, "utf8")).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    for (const certificate of own) new X509Certificate(certificate);
  } catch (error) {
    throw new Error(`the certificates of ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (own.length === 0) throw new Error(`${file} holds no certificate in PEM form`);
  return [...getCACertificates("default"), ...own];
}
