import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Something served as it is, made once and kept. */
export interface Page {
  contentType: string;
  body: Buffer;
  gzipped: Buffer;
  /** Changes when the content does. */
  etag: string;
}

export async function makePage(contentType: string, content: string | Buffer): Promise<Page> {
  const body = Buffer.from(content);
  return {
    contentType,
    body,
    gzipped: await promisify(gzip)(body),
    etag: createHash("sha256").update(body).digest("base64url").slice(0, 27),
  };
}
