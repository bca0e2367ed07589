import { isPerhapsOrder, LEFT_OUT } from "./orders.ts";
import { sentencesOf } from "./sentences.ts";
import type { Line } from "./transcript.ts";

/**
 * Lines without any sentence that may be said to a machine. An answer that was doubted is asked for once more about these: an
 * order that went unnoticed and was followed at first has no voice then, and what people said to each other is most of a call.
 */
export function narrowed(lines: readonly Line[]): readonly Line[] {
  const kept = lines.map((line) => ({ ...line, text: withoutDoubts(line.text) }));
  return kept.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) ? kept : lines;
}

function withoutDoubts(text: string): string {
  let kept = "";
  for (const sentence of sentencesOf(text))
    if (!isPerhapsOrder(sentence)) kept += sentence;
    else if (!kept.endsWith(LEFT_OUT)) kept += LEFT_OUT;
  return kept.trim();
}
