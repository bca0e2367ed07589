import type { File } from "../../storage/files.ts";
import { timestamp } from "./time.ts";

/** Section 2.3. */
export function presentFile(file: File) {
  return {
    id: file.id,
    object: "file",
    filename: file.filename,
    bytes: file.bytes,
    content_type: file.contentType,
    created_at: timestamp(file.createdAt),
  };
}

/** What a read adds. */
export function presentStoredFile(file: File) {
  return { ...presentFile(file), expires_at: file.expiresAt && timestamp(file.expiresAt) };
}
