import { PII_TYPES, type PiiType } from "../../../../understanding/pii/types.ts";
import type { Gold, LabelledCall } from "../types.ts";

/**
 * Calls out of marked text (see development.ts). Throws for a mark that names no type. Neighbouring marks of one type in a call are
 * each a value of their own, which is counted by its own words.
 */
export function readDictations(text: string, name: string): LabelledCall[] {
  return text
    .trim()
    .split(/\n\n+/u)
    .map((block, number) => {
      const [language = "", ...lines] = block.split("\n");
      const gold: Gold[] = [];
      const utterances = lines.map((line, utterance) => {
        const turn = strip(line.slice(3));
        for (const { type, start, end } of turn.marks)
          gold.push({ type, value: turn.text.slice(start, end), pieces: [{ utterance, start, end }] });
        const agent = line.startsWith("A");
        return {
          speaker: agent ? "0" : "1",
          speakerRole: agent ? ("agent" as const) : ("customer" as const),
          text: turn.text,
          start: utterance * 4,
          end: utterance * 4 + 4,
        };
      });
      return { id: `${name}-${number}`, call: { language, utterances }, gold };
    });
}

function strip(line: string): { text: string; marks: { type: PiiType; start: number; end: number }[] } {
  const marks: { type: PiiType; start: number; end: number }[] = [];
  let text = "";
  for (const part of line.split(/(\[[A-Z_]+\|[^\]]*\])/u)) {
    const { type, value } = /^\[(?<type>[A-Z_]+)\|(?<value>[^\]]*)\]$/u.exec(part)?.groups ?? {};
    if (type !== undefined && value !== undefined) {
      if (!PII_TYPES.includes(type as PiiType)) throw new Error(`no type ${type}: ${part}`);
      marks.push({ type: type as PiiType, start: text.length, end: text.length + value.length });
      text += value;
    } else text += part;
  }
  return { text, marks };
}
