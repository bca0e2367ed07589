/**
 * Languages a recording can be in: what the installed recognisers (Whisper) know, as ISO 639-1 two-letter codes.
 * Whisper's own list differs in two places: Javanese is its `jw` (ISO: `jv`), and `haw` and `yue` have no two-letter
 * code, so they are not offered. Order is Whisper's, which is by hours of training data.
 */
const WHISPER_CODES =
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml " +
  "cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am " +
  "yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt ln ha ba jw su";

const ISO_OF_WHISPER: Record<string, string> = { jw: "jv" };

/** ISO 639-1 codes accepted as `language` and in `language_hints`. */
export const LANGUAGES: readonly string[] = Object.freeze(
  WHISPER_CODES.split(" ").map((code) => ISO_OF_WHISPER[code] ?? code),
);

const KNOWN = new Set(LANGUAGES);
const WHISPER_OF_ISO = new Map(Object.entries(ISO_OF_WHISPER).map(([whisper, iso]) => [iso, whisper]));

/** Written without spaces between words, so a token and not a space ends a word. */
const WITHOUT_SPACES = new Set(["zh", "ja", "th", "lo", "my", "km", "bo"]);

/** What a transcript's `language` says when nothing was heard and nothing was hinted (ISO 639-2 "undetermined"). */
export const UNDETERMINED = "und";

/** True for a lower-case two-letter code of the catalogue. */
export function isLanguage(code: string): boolean {
  return KNOWN.has(code);
}

/** Whisper's token for a language of the catalogue, e.g. `<|es|>`. Throws UnsupportedLanguage. */
export function languageToken(code: string): string {
  if (!KNOWN.has(code)) throw new UnsupportedLanguage(code);
  return `<|${WHISPER_OF_ISO.get(code) ?? code}|>`;
}

/** What stands between two words or sentences of this language: a space, or nothing. */
export function wordSeparator(code: string): "" | " " {
  return WITHOUT_SPACES.has(code) ? "" : " ";
}

export class UnsupportedLanguage extends Error {
  override name = "UnsupportedLanguage";
  readonly language: string;
  constructor(language: string) {
    super(`language "${language}" is not in the catalogue`);
    this.language = language;
  }
}
