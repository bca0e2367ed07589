import { Tensor } from "onnxruntime-node";
import { BARRED } from "./bias.ts";
import { forcedAttention } from "./forced-attention.ts";
import { CUT_LOOP, type Decoded } from "./greedy.ts";
import { loopLength } from "./guards.ts";
import type { WhisperModel } from "./model.ts";
import { prompt } from "./prompt.ts";
import type { Stepper } from "./step.ts";

/**
 * Greedy decoding of row 0 with Whisper's timestamp tokens, which keep it from stopping early or looping: the rules of
 * openai/whisper decoding.py `ApplyTimestampRules`. Its last rule (timestamps together likelier than any word → a
 * timestamp) is applied to the 32 likeliest tokens instead of all. The timestamps themselves are dropped; word times
 * come from attention.
 */
export async function decodeWithTimestamps(
  stepper: Stepper,
  { language, frames, limit, onStep }: { language: string; frames: number; limit: number; onStep?: () => void },
): Promise<Decoded> {
  const { model } = stepper;
  const { endOfText, firstTimestamp } = model.tokens;
  const sequence: number[] = [];
  const tokens: number[] = [];
  const each: number[] = [];
  const data = new Float32Array(model.shape.vocabulary);
  const bias = new Tensor("float32", data, [1, data.length]);
  let logprob = 0;
  let stop: Decoded["stop"] = "limit";
  let ids = prompt(model, language, { timestamps: true });
  stepper.self.clear();
  while (sequence.length < limit) {
    barByRule(data, sequence, model, frames);
    const step = await stepper.step(ids, { rows: 1, bias, top: TOP, heard: stepper.cross.feeds(0, 1) });
    onStep?.();
    const choice = pick(step, firstTimestamp);
    logprob += choice.logprob;
    if (choice.token <= endOfText) each.push(choice.logprob);
    if (choice.token === endOfText) {
      stop = "end";
      break;
    }
    sequence.push(choice.token);
    if (choice.token < endOfText) tokens.push(choice.token);
    if (loopLength(tokens) >= CUT_LOOP) {
      stop = "loop";
      break;
    }
    ids = [choice.token];
  }
  const chosen = sequence.length + (stop === "end" ? 1 : 0);
  const attention = await forcedAttention(stepper, tokens, { language, frames });
  return { tokens, each, logprob, chosen, stop, attention, generated: chosen };
}

const TOP = 32;

function pick({ tokens, logprobs }: { tokens: BigInt64Array; logprobs: Float32Array }, firstTimestamp: number) {
  let stamps = 0;
  let word = Number.NEGATIVE_INFINITY;
  let stamp = -1;
  for (let i = 0; i < TOP; i++) {
    const probability = logprobs[i] as number;
    if (Number(tokens[i]) >= firstTimestamp) {
      stamps += Math.exp(probability);
      if (stamp < 0) stamp = i;
    } else word = Math.max(word, probability);
  }
  const best = stamp >= 0 && Math.log(stamps) > word ? stamp : 0;
  return { token: Number(tokens[best]), logprob: logprobs[best] as number };
}

/** Bars what the rules forbid after `sequence`. */
function barByRule(data: Float32Array, sequence: readonly number[], model: WhisperModel, frames: number): void {
  const { endOfText, firstTimestamp, latestFirstTimestamp, neverFirst } = model.tokens;
  const last = sequence.at(-1);
  const lastIsStamp = last !== undefined && last >= firstTimestamp;
  const pairOpen = lastIsStamp && sequence.length > 1 && (sequence.at(-2) as number) < firstTimestamp;
  const stamps = sequence.filter((token) => token >= firstTimestamp);
  data.fill(0);
  data.fill(BARRED, endOfText + 1, firstTimestamp);
  if (last === undefined) {
    data.fill(BARRED, 0, firstTimestamp);
    data.fill(BARRED, firstTimestamp + latestFirstTimestamp + 1);
    for (const token of neverFirst) data[token] = BARRED;
    return;
  }
  // Stamps come in pairs, end of one segment and start of the next, and never go back in time or past the audio.
  if (lastIsStamp && !pairOpen) data.fill(BARRED, firstTimestamp);
  if (pairOpen) data.fill(BARRED, 0, endOfText);
  const latest = stamps.at(-1);
  if (latest !== undefined) data.fill(BARRED, firstTimestamp, pairOpen ? latest : latest + 1);
  data.fill(BARRED, Math.min(data.length, firstTimestamp + frames + 1));
}
