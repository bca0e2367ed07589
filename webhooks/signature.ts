import { createHmac } from "node:crypto";

/**
 * Value of `Service-Signature` (section 6): `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<raw body>` keyed with
 * the UTF-8 bytes of the whole secret, its prefix included.
 */
export function signatureHeader(secret: string, body: Uint8Array, unixSeconds: number): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}
