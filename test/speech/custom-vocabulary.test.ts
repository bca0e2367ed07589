import { open } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import { createEngine } from "../../speech/engine/engine.ts";
import { readSpans } from "../../speech/engine/window-audio.ts";
import { spokenSamples } from "../../speech/spans.ts";
import { TermTrie } from "../../speech/terms/term-trie.ts";
import { compileTerms } from "../../speech/terms/terms.ts";
import type { WindowResult } from "../../speech/types.ts";
import { boostOf, honoursTerms } from "../../speech/whisper/custom-terms.ts";
import { loadWhisper, WINDOW_SAMPLES } from "../../speech/whisper/model.ts";
import { Stepper } from "../../speech/whisper/step.ts";
import { searchTrie } from "../../speech/whisper/trie-search.ts";
import { model, oneSpanWindows, prepareFixture } from "./recordings.ts";

/** Said in the fixture, and beyond Whisper base without help. */
const NAMES = ["Hargreaves", "Kubernetes"];

test.before(async () => {
  await model("whisper-base");
  await model("silero-vad");
});

async function hear(
  t: ExecutionContext,
  name: string,
  { vocabulary, language = "en", batch = 2 }: { vocabulary?: string[]; language?: string; batch?: number } = {},
) {
  const { pcm, windows } = await prepareFixture(t, name);
  const engine = createEngine({ modelDir: await model("whisper-base"), threads: 1, batch });
  const results: WindowResult[] = [];
  await engine.recognise(
    { pcm, windows: oneSpanWindows(windows), language, vocabulary },
    { onWindow: (result) => results.push(result) },
  );
  await engine.close();
  return results.sort((a, b) => a.index - b.index);
}

const textOf = (results: readonly WindowResult[]) =>
  results.flatMap(({ segments }) => segments.map(({ text }) => text)).join(" ");

test.serial("names that were misheard are written as the caller writes them, in their place and time", async (t) => {
  const plain = await hear(t, "terms-en.ogg");
  for (const name of NAMES) t.notRegex(textOf(plain), new RegExp(name), "the fixture must be hard without its terms");
  t.true(plain.every(({ terms }) => terms === undefined));

  const helped = await hear(t, "terms-en.ogg", { vocabulary: [...NAMES, "Loughborough", "Zopiclone"] });
  for (const name of NAMES) t.regex(textOf(helped), new RegExp(`\\b${name}\\b`));
  t.is(
    helped.reduce((sum, { terms }) => sum + (terms ?? 0), 0),
    NAMES.length,
  );
  const words = (results: readonly WindowResult[]) =>
    results.flatMap(({ segments }) => segments.flatMap((segment) => segment.words));
  let earliest = 0;
  for (const word of words(helped)) {
    t.true(word.start >= earliest && word.end > word.start, JSON.stringify(word));
    earliest = word.end;
  }
  // Every other word stands where it stood.
  const known = words(helped).filter(({ text }) => !NAMES.some((name) => text.startsWith(name)));
  for (const word of known) t.true(words(plain).some(({ text, start }) => text === word.text && start === word.start));
});

test.serial("a text without the terms does not change, and no text depends on the batch", async (t) => {
  const plain = await hear(t, "call-en.ogg");
  const listening = await hear(t, "call-en.ogg", { vocabulary: [...NAMES, "Loughborough", "Zopiclone", "Iberdrola"] });
  t.is(textOf(listening), textOf(plain));
  t.true(listening.every(({ terms }) => terms === 0));
  const alone = await hear(t, "terms-en.ogg", { vocabulary: NAMES, batch: 1 });
  const together = await hear(t, "terms-en.ogg", { vocabulary: NAMES, batch: 3 });
  t.is(textOf(alone), textOf(together));
});

test.serial("what is heard right already is only spelt the caller's way", async (t) => {
  const results = await hear(t, "call-en.ogg", { vocabulary: ["ELECTRICITY Company"] });
  t.regex(textOf(results), /ELECTRICITY Company/);
});

test.serial("a language without spaces between words says that terms cannot be looked for", async (t) => {
  t.false(honoursTerms("ja"));
  const [first] = await hear(t, "terms-en.ogg", { vocabulary: NAMES, language: "ja" });
  t.is(first?.terms, null);
});

test.serial("along the trie the decoder says a term, or nothing when it is too unlikely", async (t) => {
  const whisper = await loadWhisper(await model("whisper-base"), { threads: 1 });
  const { pcm, windows } = await prepareFixture(t, "terms-en.ogg");
  const [first] = oneSpanWindows(windows);
  const spans = first?.spans ?? [];
  const audio = new Float32Array(WINDOW_SAMPLES);
  const handle = await open(pcm.path);
  await readSpans(handle, pcm, spans, audio);
  await handle.close();
  t.true(spokenSamples(spans) > 0);
  const stepper = new Stepper(whisper, { windows: 1, rows: 5 });
  await stepper.cross.encode(0, audio);
  const search = (name: string, least: number) =>
    searchTrie(stepper, {
      language: "en",
      before: [],
      following: whisper.tokens.endOfText,
      spaced: true,
      trie: new TermTrie(compileTerms([name])),
      least,
      onStep: () => undefined,
    });
  const [said] = await search("Good morning, I am calling about", -60);
  t.is(said?.term.text, "Good morning, I am calling about");
  t.deepEqual(await search("Good evening, I am calling about", -4), []);
  t.deepEqual(await search("Zopiclone", -4), []);
});

test("a boost is larger for longer terms, nearer sounds and more doubt", (t) => {
  const [long, short] = compileTerms(["Featherstone", "Aviva"]) as [never, never];
  t.true(boostOf(long, 0.1, 2) > boostOf(short, 0.1, 2));
  t.true(boostOf(long, 0.1, 2) > boostOf(long, 0.3, 2));
  t.true(boostOf(long, 0.1, 2) > boostOf(long, 0.1, 0.1));
  t.is(boostOf(long, 0.5, 2), 0);
});
