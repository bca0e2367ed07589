import type { Tensor } from "onnxruntime-node";
import type { Attention } from "./attention.ts";
import { loopLength } from "./guards.ts";
import type { Stepper } from "./step.ts";

/** One text and how it came about. */
export interface Decoded {
  /** Tokens of the text; no control tokens, no timestamps. */
  tokens: number[];
  /** Natural-log probability of each token of the text, and of the end where it ended by itself. */
  each: number[];
  /** Sum of natural-log probabilities of all that was chosen: text, timestamps and the end. */
  logprob: number;
  /** How many were summed. */
  chosen: number;
  /** Why it stopped: the model's own end, the limit of tokens, or a loop that was cut. */
  stop: "end" | "limit" | "loop";
  /** tokens.length + 1 rows when it ended by itself, tokens.length otherwise. Overwritten when its row is used again. */
  attention: Attention;
  /** Tokens that were generated for it, discarded beams included. */
  generated: number;
}

export interface GreedyRow {
  /** Tokens it starts with; as many in every row, so that nothing is padded. */
  prompt: readonly number[];
  /** Frames of 20 ms that hold audio. */
  frames: number;
  /** Tokens after which the row is cut. */
  limit: number;
}

/**
 * Best token after best token for rows 0 … of the cross cache. A row that ends is overwritten by the last one and the
 * batch shrinks. `onRow` is called as soon as a row ends. No row's text
 * depends on its neighbours (MatMulNBits scales each row on its own).
 */
export async function decodeGreedily(
  stepper: Stepper,
  rows: readonly GreedyRow[],
  {
    first,
    rest,
    onRow,
    onStep,
  }: {
    /** Bias of the first token and of the others. */
    first: Tensor;
    rest: Tensor;
    onRow: (row: number, decoded: Decoded) => void;
    onStep?: () => void;
  },
): Promise<void> {
  const { model, cross, self } = stepper;
  const { endOfText } = model.tokens;
  /** order[slot] is the caller's row that the slot holds now. */
  const order = rows.map((_, row) => row);
  const texts = rows.map(({ frames }, row) => ({
    tokens: [] as number[],
    each: [] as number[],
    logprob: 0,
    chosen: 0,
    attention: stepper.attention(row, frames),
  }));
  self.clear();
  let ids: number[] = rows.flatMap(({ prompt }) => prompt);
  let bias = first;
  while (order.length > 0) {
    const active = order.length;
    const n = ids.length / active;
    const step = await stepper.step(ids, { rows: active, bias, heard: cross.feeds(0, active) });
    onStep?.();
    const next = Array.from(step.tokens, Number);
    const ended: { slot: number; stop: Decoded["stop"] }[] = [];
    for (const [slot, row] of order.entries()) {
      const text = texts[row] as (typeof texts)[number];
      const token = next[slot] as number;
      text.logprob += step.logprobs[slot] as number;
      text.each.push(step.logprobs[slot] as number);
      text.chosen++;
      text.attention.push(step.attention, slot, n - 1, n);
      if (token === endOfText) ended.push({ slot, stop: "end" });
      else {
        text.tokens.push(token);
        if (text.tokens.length >= (rows[row] as GreedyRow).limit) ended.push({ slot, stop: "limit" });
        else if (loopLength(text.tokens) >= CUT_LOOP) ended.push({ slot, stop: "loop" });
      }
    }
    const finished = ended.map(({ slot, stop }) => ({ row: order[slot] as number, stop }));
    for (const { slot } of ended.reverse()) {
      const last = order.length - 1;
      if (slot !== last) {
        cross.move(last, slot);
        self.move(last, slot);
        order[slot] = order[last] as number;
        next[slot] = next[last] as number;
      }
      order.pop();
    }
    for (const { row, stop } of finished) {
      const text = texts[row] as (typeof texts)[number];
      onRow(row, { ...text, stop, generated: text.chosen });
    }
    ids = next.slice(0, order.length);
    bias = rest;
  }
}

/** Tokens covered by one repeated phrase at the end of a text, after which decoding it further is a waste. */
export const CUT_LOOP = 48;
