import { Attention } from "./attention.ts";
import { textBias } from "./bias.ts";
import { prompt } from "./prompt.ts";
import type { Stepper } from "./step.ts";

/**
 * The attention a text has to row 0's audio when the decoder is made to say it, in one step: for texts that greedy
 * decoding did not make. tokens.length + 1 rows.
 */
export async function forcedAttention(
  stepper: Stepper,
  tokens: readonly number[],
  { language, frames }: { language: string; frames: number },
): Promise<Attention> {
  const start = prompt(stepper.model, language, { timestamps: false });
  const ids = [...start, ...tokens];
  stepper.self.clear();
  const { attention: looks } = await stepper.step(ids, {
    rows: 1,
    bias: textBias(stepper.model),
    heard: stepper.cross.feeds(0, 1),
  });
  const attention = new Attention(stepper.model.shape.alignmentHeads, frames);
  for (let at = start.length - 1; at < ids.length; at++) attention.push(looks, 0, at, ids.length);
  return attention;
}
