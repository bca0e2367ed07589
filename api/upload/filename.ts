/** As long as a name may be on the usual file systems, in bytes; here in characters. */
export const MAX_FILENAME_CHARACTERS = 255;
const FALLBACK = "audio";

/** Control characters, and the ones that turn the reading direction round to hide an extension. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A name that is safe to store, log and show: no directory, no control character, at most 255 characters with the
 * extension kept. Browsers and curl write CR, LF and quotes as %0D, %0A and %22 (WHATWG HTML, multipart encoding).
 */
export function cleanFilename(name: string | undefined): string {
  const printable = (name ?? "")
    .toWellFormed()
    .replace(/%0D|%0A|%22/gi, (code) => decodeURIComponent(code))
    .replace(UNPRINTABLE, "")
    .normalize("NFC");
  const base = printable.slice(Math.max(printable.lastIndexOf("/"), printable.lastIndexOf("\\")) + 1).trim();
  if (/^\.*$/.test(base)) return FALLBACK;
  const characters = [...base];
  if (characters.length <= MAX_FILENAME_CHARACTERS) return base;
  const dot = characters.lastIndexOf(".");
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_FILENAME_CHARACTERS - extension.length), ...extension].join("");
}
