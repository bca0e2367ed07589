import { wordSeparator } from "../languages.ts";

/** What a model's tokens write. */
export interface Spelling {
  /** UTF-8, or a part of a character's; nothing for a control token. */
  bytes(token: number): Uint8Array;
}

/** A written word and the tokens [from, to) that spell it. */
export interface TokenWord {
  /** As the model wrote it, a leading space included where there was one. */
  raw: string;
  from: number;
  to: number;
}

/**
 * Cuts a text's tokens into words. With spaces between words, a word starts where a token starts with a space; without
 * (Japanese, Thai, …), every whole character run of a token is one, as in openai/whisper `split_to_word_tokens`.
 * Marks that stand alone join a neighbour: opening ones (and a bare space) the next word, all others the one before.
 */
export function splitWords(tokens: readonly number[], vocabulary: Spelling, language: string): TokenWord[] {
  const spaced = wordSeparator(language) === " ";
  const words: TokenWord[] = [];
  let openings: TokenWord | undefined;
  for (const piece of wholeCharacters(tokens, vocabulary)) {
    const before = words.at(-1);
    if (openings) {
      openings = extend(openings, piece);
      if (isOpening(openings.raw)) continue;
      words.push(openings);
      openings = undefined;
    } else if (isOpening(piece.raw) && (!spaced || !before || /^\s/u.test(piece.raw))) openings = piece;
    else if (before && (!WRITTEN.test(piece.raw) || (spaced && !/^\s/u.test(piece.raw)))) {
      words[words.length - 1] = extend(before, piece);
    } else words.push(piece);
  }
  const last = words.at(-1);
  if (openings && last) words[words.length - 1] = extend(last, openings);
  else if (openings) words.push(openings);
  return words.filter(({ raw }) => raw.trim() !== "");
}

/** Groups tokens so that no character is split. */
function wholeCharacters(tokens: readonly number[], vocabulary: Spelling): TokenWord[] {
  const pieces: TokenWord[] = [];
  let from = 0;
  let bytes = Buffer.alloc(0);
  for (const [index, token] of tokens.entries()) {
    bytes = Buffer.concat([bytes, vocabulary.bytes(token)]);
    if (!endsWhole(bytes) && index < tokens.length - 1) continue;
    pieces.push({ raw: bytes.toString("utf8"), from, to: index + 1 });
    from = index + 1;
    bytes = Buffer.alloc(0);
  }
  return pieces;
}

/** False while the last character of UTF-8 bytes lacks some of its own. */
function endsWhole(bytes: Uint8Array): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return true;
    if (byte >= 0xc0) return back >= (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return true; // no lead byte at all: broken anyway, and more bytes would not mend it
}

function extend(word: TokenWord, by: TokenWord): TokenWord {
  return { raw: word.raw + by.raw, from: word.from, to: by.to };
}

function isOpening(raw: string): boolean {
  return OPENING.test(raw);
}

const WRITTEN = /[\p{L}\p{N}\p{M}]/u;
const OPENING = /^[\s¿¡([{"'“‘«„「『（《〈【-]+$/u;
