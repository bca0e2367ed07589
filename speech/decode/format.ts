/**
 * Which of the accepted formats a file is, by its first bytes only: names and declared types are the sender's word,
 * and a demuxer that is allowed to guess would follow playlists.
 */

export type AudioFormat = "wav" | "mp3" | "flac" | "ogg" | "m4a" | "mp4";

/** Bytes that `sniffFormat` wants to see: three MPEG frames of the largest size, and some padding before them. */
export const HEAD_BYTES = 16_384;

export const CONTENT_TYPES: Record<AudioFormat, string> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  mp4: "video/mp4",
};

/**
 * `head` is the start of the file, at best `HEAD_BYTES` of it. Null when it is none of the accepted formats.
 * An ID3 tag may be longer than the head and stand before FLAC as well as MPEG frames; `id3Length` says where to
 * look next.
 */
export function sniffFormat(head: Uint8Array): AudioFormat | null {
  const tag = id3Length(head);
  if (tag > 0) return tag + 4 > head.length ? "mp3" : sniffBehindTag(head.subarray(tag));
  const word = ascii(head, 0, 4);
  if ((word === "RIFF" || word === "RF64") && ascii(head, 8, 12) === "WAVE") return "wav";
  if (word === "fLaC") return "flac";
  if (word === "OggS") return "ogg";
  return sniffMp4(head) ?? (hasMpegFrames(head) ? "mp3" : null);
}

/** What follows an ID3v2 tag: FLAC, or MPEG frames after any amount of padding. */
export function sniffBehindTag(bytes: Uint8Array): AudioFormat | null {
  if (ascii(bytes, 0, 4) === "fLaC") return "flac";
  return hasMpegFrames(bytes) ? "mp3" : null;
}

/** Bytes of the ID3v2 tag at the start, its header included; 0 without one. */
export function id3Length(head: Uint8Array): number {
  if (head.length < 10 || ascii(head, 0, 3) !== "ID3" || head[3] === 0xff) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  const footer = ((head[5] ?? 0) & 0x10) !== 0 ? 10 : 0;
  return 10 + size + footer;
}

/** Still images share the box structure and its `ftyp`. */
const IMAGE_BRANDS = /^(hei|hev|mif|msf|avi|avc|jp|crx)/;

function sniffMp4(head: Uint8Array): AudioFormat | null {
  // Some writers put empty boxes first.
  for (let at = 0; at + 12 <= head.length; ) {
    const type = ascii(head, at + 4, at + 8);
    const brand = ascii(head, at + 8, at + 12);
    if (type === "ftyp")
      return IMAGE_BRANDS.test(brand) ? null : brand.startsWith("M4A") || brand.startsWith("M4B") ? "m4a" : "mp4";
    const size = new DataView(head.buffer, head.byteOffset + at, 4).getUint32(0);
    if (!["free", "skip", "wide"].includes(type) || size < 8) return null;
    at += size;
  }
  return null;
}

/**
 * Three headers in a row that agree, each where the one before says (fewer only when the file ends first). One sync
 * word alone is met in random bytes and in UTF-16 text.
 */
function hasMpegFrames(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at++;
  const first = mpegFrame(bytes, at);
  if (!first) return false;
  let frame = first;
  for (let seen = 1; seen < 3; seen++) {
    at += frame.bytes;
    if (at + 4 > bytes.length) return true;
    const next = mpegFrame(bytes, at);
    if (!next || next.kind !== first.kind) return false;
    frame = next;
  }
  return true;
}

const KBITS: Record<string, readonly number[]> = {
  "1-1": [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1-2": [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1-3": [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2-1": [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2-2": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2-3": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/**
 * The MPEG audio frame header at `at` (ISO/IEC 11172-3, 13818-3 and the 2.5 extension), or null. `kind` must be the
 * same in all frames of a file. Free-format streams are not recognised.
 */
export function mpegFrame(bytes: Uint8Array, at: number): { bytes: number; kind: string; sideInfo: number } | null {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  if (a !== 0xff || b === undefined || c === undefined || d === undefined || (b & 0xe0) !== 0xe0) return null;
  const version = (b >> 3) & 3; // 0: 2.5, 2: 2, 3: 1
  const layer = 4 - ((b >> 1) & 3);
  const rateIndex = (c >> 2) & 3;
  if (version === 1 || layer === 4 || rateIndex === 3) return null;
  const kbits = KBITS[`${version === 3 ? 1 : 2}-${layer}`]?.[(c >> 4) - 1];
  if (!kbits) return null;
  const rate = ([44_100, 48_000, 32_000][rateIndex] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (c >> 1) & 1;
  const slots = layer === 1 ? 12 : layer === 3 && version !== 3 ? 72 : 144;
  const length = Math.floor((slots * kbits * 1_000) / rate + padding) * (layer === 1 ? 4 : 1);
  const mono = d >> 6 === 3;
  const sideInfo = version === 3 ? (mono ? 17 : 32) : mono ? 9 : 17;
  return { bytes: length, kind: `${version}-${layer}-${rateIndex}`, sideInfo };
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
