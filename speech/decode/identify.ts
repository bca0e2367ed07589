import type { FileHandle } from "node:fs/promises";
import { type AudioFormat, HEAD_BYTES, id3Length, sniffBehindTag, sniffFormat } from "./format.ts";

/** Size and format of an open file, following an ID3 tag to what is behind it. */
export async function identify(file: FileHandle): Promise<{ size: number; format: AudioFormat | null }> {
  const { size } = await file.stat();
  const head = await readHead(file, 0);
  const tag = id3Length(head);
  return { size, format: tag > 0 ? sniffBehindTag(await readHead(file, tag)) : sniffFormat(head) };
}

async function readHead(file: FileHandle, position: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, position);
  return buffer.subarray(0, bytesRead);
}
