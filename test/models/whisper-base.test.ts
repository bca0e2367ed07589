import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import test from "ava";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { Decoder, f32, floatsOf, load, type Outputs, type Shape } from "./session.ts";

const WINDOW = 480_000;

interface Generation {
  decoder_start_token_id: number;
  eos_token_id: number;
  no_timestamps_token_id: number;
  begin_suppress_tokens: number[];
  lang_to_id: Record<string, number>;
  task_to_id: Record<string, number>;
  alignment_heads: [number, number][];
}

test.serial("Whisper base hears the same, alone or in a batch of eight", async (t) => {
  t.timeout(600_000, "the first run downloads and converts 135 MB");
  const model = await openModel();
  const speech = await readSpeech();
  // The same sentence, earlier or later, louder or softer: eight windows that differ.
  const encoded: Outputs[] = [];
  for (let i = 0; i < 8; i++) {
    const audio = new Float32Array(WINDOW);
    audio.set(
      speech.map((sample) => sample * (1 - i / 10)),
      i * 1_700,
    );
    encoded.push(await model.encode.run({ audio: f32(audio, [1, WINDOW]) }));
  }
  const together = await greedy(model, encoded);
  const [first] = together;
  t.regex(model.text(first?.tokens ?? []), /^Good morning[,.] I would like to change my delivery address,? please\.?$/);
  for (const index of [0, 3, 7]) {
    const [alone] = await greedy(model, [encoded[index] as Outputs]);
    t.deepEqual(alone, together[index], `window ${index}: tokens and log-probabilities, digit for digit`);
  }
});

test.serial("the first token names the language", async (t) => {
  const model = await openModel();
  const audio = new Float32Array(WINDOW);
  audio.set(await readSpeech());
  const encoded = await model.encode.run({ audio: f32(audio, [1, WINDOW]) });
  const bias = new Float32Array(model.config.vocab_size).fill(-1e9);
  for (const id of Object.values(model.generation.lang_to_id)) bias[id] = 0;
  const decoder = new Decoder(model.step, model.config, [encoded]);
  const best = await decoder.step([[model.generation.decoder_start_token_id]], bias, 99);
  t.is(Number(best.tokens?.data[0]), model.generation.lang_to_id["<|en|>"] as number);
  const sum = floatsOf(best, "logprobs").reduce((total, value) => total + Math.exp(value), 0);
  t.true(Math.abs(sum - 1) < 1e-4, "99 languages share all of the probability");
});

test.serial("alignment heads follow time", async (t) => {
  const model = await openModel();
  const speech = await readSpeech();
  const audio = new Float32Array(WINDOW);
  audio.set(speech, WINDOW / 2);
  const encoded = await model.encode.run({ audio: f32(audio, [1, WINDOW]) });
  const [heard] = await greedy(model, [encoded]);
  const ids = [...prompt(model.generation), ...(heard?.tokens ?? [])];
  const decoder = new Decoder(model.step, model.config, [encoded]);
  const outputs = await decoder.step([ids], new Float32Array(model.config.vocab_size));
  const heads = model.generation.alignment_heads.length;
  t.deepEqual(outputs.attention?.dims, [1, heads, ids.length, 1500]);
  const centres = centresOfAttention(floatsOf(outputs, "attention"), heads, ids.length);
  // The row of a token tells where the next one is heard.
  const places = centres.slice(prompt(model.generation).length - 1, -1);
  const inSpeech = places.filter((frame) => frame > 740 && frame < 760 + speech.length / 320);
  t.true(inSpeech.length >= places.length - 2, `${places} in 750 to ${750 + speech.length / 320}`);
  t.deepEqual(
    inSpeech.map((frame) => Math.round(frame / 25)),
    inSpeech.map((frame) => Math.round(frame / 25)).sort((x, y) => x - y),
    "in order, to half a second",
  );
});

test.serial("silero-vad and the Temporal CLI are fetched, the latter executable", async (t) => {
  const dir = defaultModelsDirectory(process.env);
  const vad = await load(join(await ensure("silero-vad", { dir }), "model.onnx"));
  const frames = 3;
  const outputs = await vad.run({
    input: f32(new Float32Array(frames * 576), [frames, 576]),
    h: f32(new Float32Array(128), [1, 1, 128]),
    c: f32(new Float32Array(128), [1, 1, 128]),
  });
  t.is(floatsOf(outputs, "speech_probs").length, frames);
  const { mode } = await stat(join(await ensure("temporal-cli", { dir }), "temporal"));
  t.is(mode & 0o111, 0o111);
});

type Model = Awaited<ReturnType<typeof openModel>>;

async function openModel() {
  const directory = await ensure("whisper-base", { dir: defaultModelsDirectory(process.env) });
  const json = async (file: string) => JSON.parse(await readFile(join(directory, file), "utf8"));
  const tokenizer = new Tokenizer(await json("tokenizer.json"), {});
  return {
    config: (await json("config.json")) as Shape,
    generation: (await json("generation_config.json")) as Generation,
    encode: await load(join(directory, "encode.onnx")),
    step: await load(join(directory, "step.onnx")),
    text: (tokens: number[]) => tokenizer.decode(tokens, { skip_special_tokens: true }).trim(),
  };
}

/** flite's voice `slt`, 16 kHz. */
async function readSpeech(): Promise<Float32Array> {
  const file = await readFile(new URL("fixtures/delivery.wav", import.meta.url));
  const start = file.indexOf("data") + 8;
  return Float32Array.from({ length: (file.length - start) >> 1 }, (_, i) => file.readInt16LE(start + 2 * i) / 32_768);
}

function prompt(generation: Generation): number[] {
  return [
    generation.decoder_start_token_id,
    generation.lang_to_id["<|en|>"] as number,
    generation.task_to_id.transcribe as number,
    generation.no_timestamps_token_id,
  ];
}

async function greedy({ step, config, generation }: Model, windows: Outputs[]) {
  const decoder = new Decoder(step, config, windows);
  const bias = new Float32Array(config.vocab_size).fill(-1e9, generation.no_timestamps_token_id + 1);
  const firstBias = bias.slice();
  for (const token of generation.begin_suppress_tokens) firstBias[token] = -1e9;
  const rows = windows.map(() => ({ tokens: [] as number[], logprobs: [] as number[], ended: false }));
  let ids = rows.map(() => prompt(generation));
  for (let length = 0; length < 60 && rows.some((row) => !row.ended); length++) {
    const outputs = await decoder.step(ids, length === 0 ? firstBias : bias);
    ids = rows.map((row, i) => {
      const token = Number(outputs.tokens?.data[i]);
      if (!row.ended) row.logprobs.push(floatsOf(outputs, "logprobs")[i] as number);
      row.ended ||= token === generation.eos_token_id;
      if (!row.ended) row.tokens.push(token);
      return [token];
    });
  }
  return rows;
}

/** Mean over the heads of the frame (20 ms) that each token looks at most. */
function centresOfAttention(attention: Float32Array, heads: number, tokens: number): number[] {
  return Array.from({ length: tokens }, (_, token) => {
    const mean = new Float32Array(1500);
    for (let head = 0; head < heads; head++) {
      const from = (head * tokens + token) * 1500;
      for (let frame = 0; frame < 1500; frame++)
        mean[frame] = (mean[frame] as number) + (attention[from + frame] as number);
    }
    return mean.indexOf(Math.max(...mean));
  });
}
