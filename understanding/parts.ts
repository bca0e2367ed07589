import type { TokenCounter } from "../upstream/tokens.ts";
import { sentencesOf } from "./sentences.ts";
import { type Line, renderLine } from "./transcript.ts";

/** Consecutive lines that one question is about. */
export interface Part {
  lines: readonly Line[];
  tokens: number;
}

/** Without a tokenizer: no language of the catalogue needs more on the models we know (English is at four bytes a token). */
const BYTES_A_TOKEN = 2.5;

/** Tokens of a text on the safe side: counted by the model's tokenizer, else more than there will be. */
export async function tokensOf(counter: TokenCounter, text: string): Promise<number> {
  const { tokens, estimated } = await counter.count([text]);
  return estimated ? Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) : tokens;
}

/** Cuts a call between turns into as few parts as fit, of about the same length; a turn that is too long is cut itself. */
export async function partsOf(lines: readonly Line[], room: number, counter: TokenCounter): Promise<Part[]> {
  const pieces: Part[] = [];
  for (const line of lines) {
    const tokens = 1 + (await tokensOf(counter, renderLine(line)));
    if (tokens <= room) pieces.push({ lines: [line], tokens });
    else pieces.push(...(await piecesOf(line, room, counter)));
  }
  const total = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
  const share = total / Math.max(1, Math.ceil(total / room));
  const parts: Part[] = [];
  for (const { lines, tokens } of pieces) {
    const last = parts.at(-1);
    if (last && last.tokens + tokens <= room && last.tokens < share) {
      parts[parts.length - 1] = { lines: [...last.lines, ...lines], tokens: last.tokens + tokens };
    } else parts.push({ lines, tokens });
  }
  return parts;
}

/** Two halves, for a server whose window turned out to be smaller; null for what cannot be cut. */
export function halves({ lines, tokens }: Part): [Part, Part] | null {
  const half = Math.ceil(tokens / 2);
  if (lines.length > 1) {
    const middle = lines.length >> 1;
    return [
      { lines: lines.slice(0, middle), tokens: half },
      { lines: lines.slice(middle), tokens: half },
    ];
  }
  const [line] = lines;
  const words = line?.text.split(" ") ?? [];
  if (!line || words.length < 2) return null;
  const middle = words.length >> 1;
  const of = (text: string[]): Part => ({ lines: [{ ...line, text: text.join(" ") }], tokens: half });
  return [of(words.slice(0, middle)), of(words.slice(middle))];
}

/** A turn too long for one part: at sentences, and where there are none at words. */
async function piecesOf(line: Line, room: number, counter: TokenCounter): Promise<Part[]> {
  const pieces: Part[] = [];
  let text = "";
  let sum = 0;
  const end = () => {
    if (text.trim() !== "") pieces.push({ lines: [{ ...line, text: text.trim() }], tokens: sum });
    text = "";
    sum = 0;
  };
  const frame = 1 + (await tokensOf(counter, renderLine({ ...line, text: "" })));
  for (const sentence of sentencesOf(line.text)) {
    const whole = await tokensOf(counter, sentence);
    const units = frame + whole > room ? (sentence.match(/.{1,20}\S*\s*/gsu) ?? [sentence]) : [sentence];
    for (const unit of units) {
      const tokens = units.length === 1 ? whole : await tokensOf(counter, unit);
      if (sum > 0 && sum + tokens > room) end();
      if (sum === 0) sum = frame;
      text += unit;
      sum += tokens;
    }
  }
  end();
  return pieces;
}
