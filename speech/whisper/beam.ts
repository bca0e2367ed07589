import { firstTextBias, textBias } from "./bias.ts";
import { forcedAttention } from "./forced-attention.ts";
import { CUT_LOOP, type Decoded } from "./greedy.ts";
import { loopLength } from "./guards.ts";
import { prompt } from "./prompt.ts";
import type { Stepper } from "./step.ts";

/** Beams of a search, as in Whisper's own command line. */
export const BEAMS = 5;

interface Beam {
  tokens: number[];
  each: number[];
  logprob: number;
}

/**
 * Beam search over row 0: the BEAMS likeliest texts are kept side by side, all reading the one window. Ends when BEAMS
 * texts have ended; the one with the highest mean log-probability wins (openai/whisper `BeamSearchDecoder` with
 * patience 1, `MaximumLikelihoodRanker` without length penalty). A beam that loops is dropped.
 */
export async function decodeByBeams(
  stepper: Stepper,
  { language, frames, limit, onStep }: { language: string; frames: number; limit: number; onStep?: () => void },
): Promise<Decoded> {
  const { model, self } = stepper;
  const { endOfText } = model.tokens;
  const heard = stepper.cross.feeds(0, 1);
  const rest = textBias(model);
  const ended: Beam[] = [];
  let beams: Beam[] = [{ tokens: [], each: [], logprob: 0 }];
  let ids = prompt(model, language, { timestamps: false });
  let bias = firstTextBias(model);
  let generated = 0;
  self.clear();
  for (let length = 0; length < limit && beams.length > 0 && ended.length < BEAMS; length++) {
    const { tokens, logprobs } = await stepper.step(ids, { rows: beams.length, bias, top: TOP, heard });
    onStep?.();
    generated += beams.length;
    const candidates = beams
      .flatMap(({ logprob }, parent) =>
        Array.from({ length: TOP }, (_, rank) => ({
          parent,
          token: Number(tokens[parent * TOP + rank]),
          own: logprobs[parent * TOP + rank] as number,
          logprob: logprob + (logprobs[parent * TOP + rank] as number),
        })),
      )
      .sort((a, b) => b.logprob - a.logprob || a.parent - b.parent || a.token - b.token);
    const parents: number[] = [];
    const next: Beam[] = [];
    for (const { parent, token, own, logprob } of candidates) {
      if (next.length === BEAMS) break;
      const { tokens: before, each } = beams[parent] as Beam;
      if (token === endOfText) {
        if (ended.length < BEAMS) ended.push({ tokens: before, each: [...each, own], logprob });
        continue;
      }
      const longer = [...before, token];
      if (loopLength(longer) >= CUT_LOOP) continue;
      next.push({ tokens: longer, each: [...each, own], logprob });
      parents.push(parent);
    }
    self.reorder(parents);
    beams = next;
    ids = beams.map(({ tokens: text }) => text.at(-1) as number);
    bias = rest;
  }
  const pool = ended.length > 0 ? ended : beams;
  const stop = ended.length > 0 ? "end" : "limit";
  const length = ({ tokens }: Beam) => tokens.length + (stop === "end" ? 1 : 0);
  const mean = (beam: Beam) => beam.logprob / Math.max(1, length(beam));
  const best = pool.reduce((a, b) => (mean(b) > mean(a) ? b : a), pool[0] ?? { tokens: [], each: [], logprob: 0 });
  const attention = await forcedAttention(stepper, best.tokens, { language, frames });
  return { ...best, chosen: length(best), stop, attention, generated };
}

/** One more than the beams, so that ended texts leave enough to go on with. */
const TOP = BEAMS + 1;
