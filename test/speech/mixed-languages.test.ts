import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { createEngine } from "../../speech/engine/engine.ts";
import { joined } from "../../speech/language/stretches.ts";
import { prepareAudio } from "../../speech/prepare.ts";
import { assembleTranscript } from "../../speech/transcript.ts";
import type { PcmFile, Plan, Span, Window, WindowResult } from "../../speech/types.ts";
import { bareWords, model, ownDetector, prepareFixture, TEXTS } from "./recordings.ts";
import { wavHeader } from "./sound.ts";

test.before(async () => {
  await model("whisper-base");
  await model("silero-vad");
});

const SECOND = 16_000;

interface Mixed {
  plan: Plan;
  pcm: PcmFile;
  windows: Window[];
  /** Where each language is spoken. */
  turns: (Span & { language: "en" | "es" })[];
}

/** The English and the Spanish call by turns of about `seconds`, a second of silence between them. */
async function alternate(t: ExecutionContext, seconds: number, count: number): Promise<Mixed> {
  const calls = await Promise.all(
    (["en", "es"] as const).map(async (language) => {
      const { pcm, windows } = await prepareFixture(t, `call-${language}.ogg`);
      return {
        language,
        bytes: await readFile(pcm.path),
        path: pcm.path,
        // Cut at long pauses only, as people take turns.
        spans: joined(windows.flatMap(({ spans }) => spans)),
      };
    }),
  );
  const pause = Buffer.alloc(SECOND * 2);
  const parts: Buffer[] = [pause];
  const turns: Mixed["turns"] = [];
  let at = SECOND;
  for (let turn = 0; turn < count; turn++) {
    const call = calls[turn % 2] as (typeof calls)[number];
    const from = call.spans[0]?.start ?? 0;
    let to = from;
    while (call.spans[0] && to - from < seconds * SECOND) to = (call.spans.shift() as Span).end;
    parts.push(call.bytes.subarray(from * 2, to * 2), pause);
    turns.push({ language: call.language, start: at, end: at + to - from });
    at += to - from + SECOND;
  }
  const data = Buffer.concat(parts);
  const path = join(calls[0]?.path ?? "", "..", "mixed.wav");
  await writeFile(
    path,
    Buffer.concat([wavHeader({ tag: 1, channels: 1, rate: SECOND, bytes: 2, dataBytes: data.length }), data]),
  );
  const plan = await prepareAudio({
    source: path,
    pcm: `${path}.s16`,
    detectors: await ownDetector(),
  });
  const pcm = { path: `${path}.s16`, offset: 0, length: plan.samples };
  return { plan, pcm, turns, windows: plan.chunks.flatMap((chunk) => chunk.windows) };
}

async function hear({ plan, pcm, windows }: Mixed, batch: number) {
  const engine = createEngine({ modelDir: await model("whisper-base"), threads: 1, batch });
  try {
    const identified = await engine.identify({ pcm, windows });
    const results: WindowResult[] = [];
    await engine.recognise(
      { pcm, windows, language: identified.language, detection: identified.detection },
      { onWindow: (result) => results.push(result) },
    );
    results.sort((a, b) => a.index - b.index);
    return { identified, results, transcript: await assembleTranscript(plan, identified, results) };
  } finally {
    await engine.close();
  }
}

test.serial("each language of a call is written down as it was said, within a window too", async (t) => {
  const mixed = await alternate(t, 7, 4);
  const { identified, results, transcript } = await hear(mixed, 2);
  const languages = results.flatMap(({ languages = [] }) => languages.map(({ language }) => language));
  t.deepEqual([...new Set(languages)].sort(), ["en", "es"], JSON.stringify([identified, results]));
  for (const turn of mixed.turns) {
    const said = new Set(bareWords(TEXTS[turn.language]));
    const words = transcript.words.filter(
      ({ start, end }) => (start + end) / 2 > turn.start / SECOND && (start + end) / 2 < turn.end / SECOND,
    );
    const right = words.filter(({ text }) => bareWords(text).every((word) => said.has(word)));
    t.true(
      words.length >= 8,
      `${turn.language} at ${turn.start / SECOND} s: ${words.map(({ text }) => text).join(" ")}`,
    );
    t.true(right.length >= 0.75 * words.length, words.map(({ text }) => text).join(" "));
  }
  // No utterance holds both.
  for (const utterance of transcript.utterances) {
    const inside = mixed.turns.filter(
      ({ start, end }) => utterance.start < end / SECOND - 0.5 && utterance.end > start / SECOND + 0.5,
    );
    t.true(inside.length <= 1, JSON.stringify(utterance));
  }
  const seconds = (language: string) =>
    mixed.turns.filter((turn) => turn.language === language).reduce((sum, { start, end }) => sum + end - start, 0);
  t.is(transcript.language, seconds("en") > seconds("es") ? "en" : "es");
});

test.serial("languages and text do not depend on the batch", async (t) => {
  const mixed = await alternate(t, 5, 4);
  const [one, three] = [await hear(mixed, 1), await hear(mixed, 3)];
  const bare = (results: WindowResult[]) => results.map(({ computeMs, ...result }) => result);
  t.deepEqual(bare(three.results), bare(one.results));
});
