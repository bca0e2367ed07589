import { Tensor } from "onnxruntime-node";
import { PATH_FRAME } from "../alignment/attention-path.ts";
import { placeWords } from "../alignment/word-times.ts";
import type { Family, Heard } from "../recognition/family.ts";
import { spokenSamples } from "../spans.ts";
import type { Span } from "../types.ts";
import { splitWords } from "../whisper/words.ts";
import { transduce } from "./greedy.ts";
import { FRAME_SAMPLES, type ParakeetModel } from "./model.ts";

/** The 25 of parakeet-tdt-0.6b-v3's model card. */
const LANGUAGES = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk";

/** What `placeWords` adds because Whisper's attention runs ahead; a transducer emits where it hears. */
const PATH_LEAD = 2;

/** Parakeet: a FastConformer encoder and a token-and-duration transducer, whose tokens carry their times. */
export class Parakeet implements Family {
  readonly model = "parakeet-tdt-0.6b-v3";
  readonly languages: ReadonlySet<string> = new Set(LANGUAGES.split(" "));
  readonly #graphs: ParakeetModel;

  constructor(model: ParakeetModel) {
    this.#graphs = model;
  }

  async hear(spans: readonly Span[], audio: Float32Array, onBeat: () => void): Promise<Heard> {
    const samples = spokenSamples(spans);
    const encoded = await this.#encode(audio.subarray(0, samples));
    onBeat();
    const { tokens, frames, logprob } = await transduce(this.#graphs, encoded, onBeat);
    const { vocabulary } = this.#graphs;
    const starts = Int32Array.from(frames, (frame) => Math.max(0, (frame * FRAME_SAMPLES) / PATH_FRAME - PATH_LEAD));
    const path = { starts, frames: Math.ceil(samples / PATH_FRAME) };
    const words = placeWords(splitWords(tokens, vocabulary, "en"), path, spans, audio);
    return { words, text: tokens.map((token) => vocabulary.text(token)).join(""), tokens, logprob };
  }

  async #encode(audio: Float32Array) {
    const { features, encoder } = this.#graphs;
    const mel = await features.run({
      waveforms: new Tensor("float32", audio, [1, audio.length]),
      waveforms_lens: new Tensor("int64", BigInt64Array.of(BigInt(audio.length)), [1]),
    });
    const encoded = await encoder.run({
      audio_signal: mel.features as Tensor,
      length: mel.features_lens as Tensor,
    });
    const outputs = encoded.outputs as Tensor;
    const [, width, frames] = outputs.dims as [number, number, number];
    const length = Number(((encoded.encoded_lengths as Tensor).data as BigInt64Array)[0]);
    return { data: outputs.data as Float32Array, width, frames, length };
  }
}
