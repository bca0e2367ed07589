import { Tensor } from "onnxruntime-node";
import { packedSpans } from "../alignment/packed-time.ts";
import { placeWords, type SpokenWord } from "../alignment/word-times.ts";
import { joined } from "../language/stretches.ts";
import type { Family, Heard } from "../recognition/family.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";
import { splitWords } from "../whisper/words.ts";
import { type MoonshineModel, PAST, PRESENT } from "./model.ts";

const START = 1n;
const END = 2;
/** Text is cut here: nobody says more, and a loop does (Jeffries et al., arXiv:2410.15608, 3.3). */
const TOKENS_A_SECOND = 6.5;
/** The encoder's convolutions leave nothing of less. */
const SHORTEST = SAMPLE_RATE / 10;

/**
 * Moonshine: an encoder whose work grows with the audio, so each span is heard by itself. It has no attention to read
 * times from: the words of a span share its voice.
 */
export class Moonshine implements Family {
  readonly model = "moonshine-tiny";
  readonly languages: ReadonlySet<string> = new Set(["en"]);
  readonly #graphs: MoonshineModel;

  constructor(model: MoonshineModel) {
    this.#graphs = model;
  }

  async hear(spans: readonly Span[], audio: Float32Array, onBeat: () => void): Promise<Heard> {
    const { vocabulary } = this.#graphs;
    const heard: Heard = { words: [], text: "", tokens: [], logprob: 0 };
    // Phrases that touch are one stretch of speech: alone, half a sentence is guessed at.
    for (const { start, end, packed } of packedSpans(joined(spans))) {
      const own = audio.subarray(packed, packed + end - start);
      const { tokens, logprob } = await this.#decode(own, onBeat);
      const text = vocabulary.text(tokens).trim();
      if (text === "") continue;
      heard.words.push(...this.#place(tokens, { start, end }, own, heard.words.length > 0));
      heard.text += `${heard.text === "" ? "" : " "}${text}`;
      heard.tokens.push(...tokens);
      heard.logprob += logprob;
    }
    return heard;
  }

  #place(tokens: readonly number[], span: Span, audio: Float32Array, spaced: boolean): SpokenWord[] {
    // All tokens at one place is a path that nobody can follow: the words share the voice by their length.
    const path = { starts: new Int32Array(tokens.length + 1), frames: 0 };
    const words = placeWords(splitWords(tokens, this.#graphs.vocabulary, "en"), path, [span], audio);
    const [first] = words;
    if (first && spaced) first.raw = ` ${first.raw.trimStart()}`;
    return words;
  }

  /** Greedy: the likeliest token after the likeliest token. */
  async #decode(audio: Float32Array, onBeat: () => void): Promise<{ tokens: number[]; logprob: number }> {
    const { encoder, decoder, caches } = this.#graphs;
    const { last_hidden_state: states } = await encoder.run({ input_values: padded(audio) });
    onBeat();
    const limit = Math.ceil((audio.length / SAMPLE_RATE) * TOKENS_A_SECOND) + 1;
    const tokens: number[] = [];
    let logprob = 0;
    const feeds: Record<string, Tensor> = {
      encoder_hidden_states: states as Tensor,
      input_ids: new Tensor("int64", BigInt64Array.of(START), [1, 1]),
      use_cache_branch: new Tensor("bool", Uint8Array.of(0), [1]),
    };
    for (const { name, shape } of caches) feeds[`${PAST}${name}`] = new Tensor("float32", new Float32Array(0), shape);
    while (tokens.length < limit) {
      const step = await decoder.run(feeds);
      onBeat();
      const { token, probability } = likeliest((step.logits as Tensor).data as Float32Array);
      logprob += probability;
      if (token === END) break;
      tokens.push(token);
      for (const { name } of caches) {
        // What the decoder reads of the audio is made at the first step and stays.
        if (tokens.length === 1 || name.includes("decoder"))
          feeds[`${PAST}${name}`] = step[`${PRESENT}${name}`] as Tensor;
      }
      feeds.input_ids = new Tensor("int64", BigInt64Array.of(BigInt(token)), [1, 1]);
      feeds.use_cache_branch = new Tensor("bool", Uint8Array.of(1), [1]);
    }
    return { tokens, logprob };
  }
}

function padded(audio: Float32Array): Tensor {
  if (audio.length >= SHORTEST) return new Tensor("float32", audio, [1, audio.length]);
  const longer = new Float32Array(SHORTEST);
  longer.set(audio);
  return new Tensor("float32", longer, [1, SHORTEST]);
}

/** The greatest of the scores and its natural-log probability. */
function likeliest(scores: Float32Array): { token: number; probability: number } {
  let token = 0;
  for (let i = 1; i < scores.length; i++) if ((scores[i] as number) > (scores[token] as number)) token = i;
  const most = scores[token] as number;
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - most);
  return { token, probability: -Math.log(sum) };
}
