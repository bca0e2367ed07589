import { open } from "node:fs/promises";
import test from "ava";
import { readSpans } from "../../speech/engine/window-audio.ts";
import { loadMoonshine } from "../../speech/moonshine/model.ts";
import { Moonshine } from "../../speech/moonshine/moonshine.ts";
import type { Heard } from "../../speech/recognition/family.ts";
import { isTrusted, looksLike } from "../../speech/recognition/trusted.ts";
import { WINDOW_SAMPLES } from "../../speech/whisper/model.ts";
import { model, prepareFixture, TEXTS, wordErrorRate } from "./recordings.ts";

test("Moonshine writes down an English call, its words in order inside the speech", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const moonshine = new Moonshine(await loadMoonshine(await model("moonshine-tiny"), { threads: 1 }));
  t.deepEqual([...moonshine.languages], ["en"]);
  const audio = new Float32Array(WINDOW_SAMPLES);
  const handle = await open(pcm.path);
  t.teardown(() => handle.close());
  const texts: string[] = [];
  let earliest = 0;
  let beats = 0;
  for (const { spans } of windows) {
    await readSpans(handle, pcm, spans, audio);
    const heard = await moonshine.hear(spans, audio, () => beats++);
    t.true(isTrusted(heard, spans, "en"), heard.text);
    t.is(
      heard.words
        .map(({ raw }) => raw)
        .join("")
        .trim(),
      heard.text,
    );
    for (const { start, end, raw } of heard.words) {
      t.true(start >= earliest && end > start, raw);
      t.true(
        spans.some((span) => start >= span.start && end <= span.end),
        raw,
      );
      earliest = end;
    }
    texts.push(heard.text);
  }
  t.true(beats > texts.join(" ").split(" ").length);
  const rate = wordErrorRate(TEXTS.en, texts.join(" "));
  t.true(rate <= 0.1, `${rate}: ${texts.join(" ")}`);
});

test("what Moonshine makes of Spanish is not trusted as Spanish", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const moonshine = new Moonshine(await loadMoonshine(await model("moonshine-tiny"), { threads: 1 }));
  const audio = new Float32Array(WINDOW_SAMPLES);
  const handle = await open(pcm.path);
  t.teardown(() => handle.close());
  for (const { spans } of windows) {
    await readSpans(handle, pcm, spans, audio);
    const heard = await moonshine.hear(spans, audio, () => undefined);
    t.false(isTrusted(heard, spans, "es"), heard.text);
  }
});

const spans = [{ start: 0, end: 160_000 }];
const heard = (text: string, more: Partial<Heard> = {}): Heard => ({
  ...{ words: [], text, tokens: Array.from(text.split(" "), (_, i) => i), logprob: -0.1 },
  ...more,
});

test("a text is not trusted when it is unlikely, repeats itself, is missing or in another language", (t) => {
  const english = "I would like to move my contract to a new address please";
  t.true(isTrusted(heard(english), spans, "en"));
  t.false(isTrusted(heard(english), spans, "es"));
  t.false(isTrusted(heard(english, { logprob: -30 }), spans, "en"));
  t.false(isTrusted(heard(english, { tokens: Array(60).fill(7) }), spans, "en"));
  t.false(isTrusted(heard("and again ".repeat(60)), spans, "en"));
  t.false(isTrusted(heard(""), spans, "en"));
  t.true(isTrusted(heard(""), [{ start: 0, end: 8_000 }], "en"));
});

test("the language of a text: short ones and numbers may be anything, neighbours are given the benefit of the doubt", (t) => {
  t.true(looksLike("sí, vale", "en"));
  t.true(looksLike("612 345 678 612 345 678 612 345 678", "de"));
  t.true(looksLike("quería cambiar la dirección del contrato porque nos mudamos", "es"));
  t.false(looksLike("quería cambiar la dirección del contrato porque nos mudamos", "en"));
  t.false(looksLike("ich möchte bitte meine Rechnung für den letzten Monat noch einmal bekommen", "nl"));
});
