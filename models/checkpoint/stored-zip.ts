import { ModelError } from "../errors.ts";
import type { PartedFile } from "./parted-file.ts";

/** Where a member's bytes lie in the archive. */
export interface Member {
  start: number;
  length: number;
}

const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;

/**
 * Members of a zip archive that are stored without compression, by name: how PyTorch keeps tensors, so that they can
 * be read by position (PKWARE APPNOTE 4.3). Throws ModelError for anything else, and for archives of the 64-bit kind.
 */
export function readStoredZip(file: PartedFile, path: string): Map<string, Member> {
  const fail = (what: string) => new ModelError(`${path}: ${what}`);
  const tailStart = Math.max(0, file.size - END_BYTES - LONGEST_COMMENT);
  const tail = Buffer.from(file.read(tailStart, file.size - tailStart));
  const at = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (at < 0 || at + END_BYTES > tail.length) throw fail("is not a zip file");
  const count = tail.readUInt16LE(at + 10);
  const directoryBytes = tail.readUInt32LE(at + 12);
  const directoryStart = tail.readUInt32LE(at + 16);
  if (count === 0xffff || directoryStart === 0xffff_ffff) throw fail("is a 64-bit zip file, which is not read here");
  if (directoryStart + directoryBytes > file.size) throw fail("has a directory outside the file");
  const directory = Buffer.from(file.read(directoryStart, directoryBytes));
  const members = new Map<string, Member>();
  for (let entry = 0, from = 0; entry < count; entry++) {
    if (from + ENTRY_BYTES > directory.length || directory.readUInt32LE(from) !== 0x0201_4b50)
      throw fail("has a damaged directory");
    const method = directory.readUInt16LE(from + 10);
    const length = directory.readUInt32LE(from + 24);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => directory.readUInt16LE(from + field)) as [
      number,
      number,
      number,
    ];
    const name = directory.toString("utf8", from + ENTRY_BYTES, from + ENTRY_BYTES + nameBytes);
    if (method !== 0) throw fail(`${name} is compressed; only stored members are read`);
    const local = directory.readUInt32LE(from + 42);
    if (local + LOCAL_BYTES > file.size) throw fail(`${name} lies outside the file`);
    const header = Buffer.from(file.read(local, LOCAL_BYTES));
    const start = local + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (header.readUInt32LE(0) !== 0x0403_4b50 || start + length > file.size)
      throw fail(`${name} lies outside the file`);
    members.set(name, { start, length });
    from += ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  return members;
}
