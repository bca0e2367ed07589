import type { FileHandle } from "node:fs/promises";
import { type AudioFormat, HEAD_BYTES, id3Length, mpegFrame } from "./format.ts";

/**
 * Whether a file holds as many bytes as its own headers announce. A half-uploaded recording must fail rather than
 * come back as the transcript of its first half, and decoders do not tell: they stop at the end without complaint.
 * FLAC announces samples, not bytes, so the decoder compares those itself.
 */
export interface Shortfall {
  /** Bytes that the headers announce and the file lacks. */
  missing: number;
}

/** Wrong by a header's length is a common slip of writers and no lost speech. */
const TOLERATED_BYTES = 4_096;

/** Null when the file is complete or its format does not announce a length. */
export async function findShortfall(file: FileHandle, size: number, format: AudioFormat): Promise<Shortfall | null> {
  const missing = await missingBytes(file, size, format);
  return missing > TOLERATED_BYTES ? { missing } : null;
}

function missingBytes(file: FileHandle, size: number, format: AudioFormat): Promise<number> {
  if (format === "wav") return wavMissing(file, size);
  if (format === "mp3") return mp3Missing(file, size);
  if (format === "ogg") return oggMissing(file, size);
  if (format === "mp4" || format === "m4a") return mp4Missing(file, size);
  return Promise.resolve(0);
}

async function wavMissing(file: FileHandle, size: number): Promise<number> {
  for (let at = 12; at + 8 <= size; ) {
    const header = await read(file, at, 8);
    const length = header.getUint32(4, true);
    if (fourCc(header, 0) === "data") return isUnknownLength(length) ? 0 : at + 8 + length - size;
    at += 8 + length + (length % 2);
  }
  return 0;
}

/** What writers put when they do not know the length yet: 0 (GStreamer), about 2^31 (SoX), about 2^32 (FFmpeg, RF64). */
function isUnknownLength(length: number): boolean {
  return length === 0 || (length >= 0x7fff_0000 && length <= 0x8000_0100) || length >= 0xffff_0000;
}

/** The `Xing` or `Info` frame of an encoder counts the bytes of the stream (flag 2). */
async function mp3Missing(file: FileHandle, size: number): Promise<number> {
  const start = id3Length(bytesOf(await read(file, 0, Math.min(10, size))));
  const view = await read(file, start, Math.max(0, Math.min(HEAD_BYTES, size - start)));
  const bytes = bytesOf(view);
  const at = bytes.findIndex((byte) => byte !== 0);
  const frame = at < 0 ? null : mpegFrame(bytes, at);
  if (!frame || at + 4 + frame.sideInfo + 16 > bytes.length) return 0;
  const tag = at + 4 + frame.sideInfo;
  if (fourCc(view, tag) !== "Xing" && fourCc(view, tag) !== "Info") return 0;
  const flags = view.getUint32(tag + 4);
  if ((flags & 2) === 0) return 0;
  const announced = view.getUint32(tag + ((flags & 1) !== 0 ? 12 : 8));
  const missing = start + at + announced - size;
  // Some tools rewrite tags and leave the figure alone.
  return missing > announced / 100 ? missing : 0;
}

const OGG_PAGE_LIMIT = 65_307;

/** A cut falls inside a page (RFC 3533). A stream without its end-of-stream flag is whole when its last page is. */
async function oggMissing(file: FileHandle, size: number): Promise<number> {
  const start = Math.max(0, size - OGG_PAGE_LIMIT);
  const view = await read(file, start, size - start);
  const at = Buffer.from(bytesOf(view)).lastIndexOf("OggS\0");
  if (at < 0) return OGG_PAGE_LIMIT;
  if (at + 27 > view.byteLength) return OGG_PAGE_LIMIT;
  const segments = view.getUint8(at + 26);
  if (at + 27 + segments > view.byteLength) return OGG_PAGE_LIMIT;
  let body = 0;
  for (let i = 0; i < segments; i++) body += view.getUint8(at + 27 + i);
  // Pages are small, so one that is short by any amount is a cut.
  return at + 27 + segments + body > view.byteLength ? OGG_PAGE_LIMIT : 0;
}

/** Top-level boxes (ISO/IEC 14496-12, 4.2). Only those that hold audio or its index count; trailing junk does not. */
async function mp4Missing(file: FileHandle, size: number): Promise<number> {
  for (let at = 0; at + 8 <= size; ) {
    const header = await read(file, at, Math.min(16, size - at));
    const type = fourCc(header, 4);
    let length = header.getUint32(0);
    if (length === 1 && header.byteLength === 16) length = Number(header.getBigUint64(8));
    if (length === 0 || length < 8) return 0;
    if (at + length > size && ["mdat", "moov", "moof"].includes(type)) return at + length - size;
    at += length;
  }
  return 0;
}

async function read(file: FileHandle, position: number, length: number): Promise<DataView> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return new DataView(buffer.buffer, buffer.byteOffset, bytesRead);
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function fourCc(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}
