import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { completedTranscript } from "../../api/schemas/transcript.ts";
import { wordErrorRate } from "../../bench/words.ts";
import type { TranscriptResponse } from "../../embedded/client.ts";
import { makeStateDir, run, type Service, startService } from "./service.ts";

const sample = join(import.meta.dirname, "../../embedded/sample");

interface Reference {
  duration: number;
  text: string;
  utterances: { speaker: string; role: "agent" | "customer"; start: number; end: number }[];
}

type Transcript = TranscriptResponse & {
  speaker_role_confidence: number;
  words: { text: string; start: number; end: number }[];
};

let service: Service;

test.before(async () => {
  service = await startService(await makeStateDir());
});

test.after.always(async () => {
  await service?.stop();
});

/** The demo against the running stack. */
const demo = (...args: string[]) => run("demo", service.stateDir, args);

/** The sample call through `--json`, done once for the tests that look at different sides of it. */
let sampleRun: Promise<{ transcript: Transcript; stdout: string; paid: number }> | undefined;
function sampleTranscript() {
  sampleRun ??= (async () => {
    const before = await balance();
    const { code, stdout, stderr } = await demo(join(sample, "call.ogg"), "--json");
    if (code !== 0) throw new Error(stderr);
    return { transcript: JSON.parse(stdout) as Transcript, stdout, paid: before - (await balance()) };
  })();
  return sampleRun;
}

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(service.stateDir, name);
  await writeFile(path, content);
  return path;
}

/** A WAV file of `seconds` of silence, 16 kHz mono; `claimed` seconds stand in its header. */
function silence(seconds: number, claimed = seconds): Buffer {
  const bytes = Math.round(seconds * 16_000) * 2;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE((36 + claimed * 32_000) >>> 0, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE((claimed * 32_000) >>> 0, 40);
  return Buffer.concat([header, Buffer.alloc(bytes)]);
}

test.serial(
  "a demo of its own starts a stack, prints the transcript of the sample and leaves nothing running",
  async (t) => {
    const stateDir = await makeStateDir();
    const { code, stdout, stderr } = await run("demo", stateDir);
    t.is(code, 0, stderr);
    t.regex(stdout, /call\.ogg\n\n {2}0:0\d\.\d – 0:\d\d\.\d {2}Agent: Good morning/);
    t.regex(stdout, /Language +en/);
    t.regex(stdout, /Billed +60 s/);
    t.regex(stdout, /Cost +0\.006500 EUR/);
    await t.throwsAsync(readFile(join(stateDir, "stack.lock")));
  },
);

test.serial("the sample call comes back as it was spoken, and is charged once", async (t) => {
  const { transcript, stdout, paid } = await sampleTranscript();
  t.is(stdout.trimEnd().split("\n").length, 1);
  const reference = JSON.parse(await readFile(join(sample, "call.json"), "utf8")) as Reference;
  t.is(transcript.status, "completed");
  t.is(transcript.language, "en");
  const rate = wordErrorRate(reference.text, transcript.text ?? "", "en");
  t.true(rate <= 4, `${rate} % of the words are wrong: ${transcript.text}`);
  t.true(Math.abs((transcript.audio_duration ?? 0) - reference.duration) <= 0.05, String(transcript.audio_duration));
  t.is(transcript.billed_duration, 60);
  t.is(transcript.usage?.total_eur, 0.0065);
  t.deepEqual(transcript.warnings, []);
  for (const { speaker, role, start, end } of reference.utterances) {
    const during = transcript.utterances?.filter((it) => it.start < end - 0.5 && it.end > start + 0.5) ?? [];
    t.true(during.length > 0 && during.every((it) => it.speaker === speaker), `${start}: ${JSON.stringify(during)}`);
    t.true(
      during.every((it) => it.speakerRole === role),
      `${start}: ${JSON.stringify(during)}`,
    );
  }
  t.true(transcript.speaker_role_confidence >= 0.9, String(transcript.speaker_role_confidence));
  t.is(transcript.text, transcript.utterances?.map(({ text }) => text).join(" "));
  t.is(Math.round(paid * 1e6), 6_500);
});

test.serial("what the workers make is what the API's schema says, to every field and no other", async (t) => {
  const { transcript } = await sampleTranscript();
  const read = await service.call("GET", `/v1/transcripts/${transcript.id}`);
  t.notThrows(() => completedTranscript.parse(read.body));
  const { metrics, speech_duration } = completedTranscript.parse(read.body);
  t.true(metrics.processing_seconds > 0 && metrics.chunks > 0 && metrics.asr_seconds > 0);
  t.true(speech_duration > 0 && speech_duration <= (transcript.audio_duration ?? 0));
});

test.serial("words ascend, stay inside the audio, and each lies in its utterance", async (t) => {
  const { words, utterances = [], audio_duration = 0 } = (await sampleTranscript()).transcript;
  t.true(words.length > 100);
  let last = 0;
  for (const word of words) {
    t.true(word.start >= last && word.end >= word.start && word.end <= audio_duration, JSON.stringify(word));
    last = word.start;
  }
  const spoken = utterances.flatMap(({ text }) => text.split(" "));
  t.deepEqual(
    words.map(({ text }) => text),
    spoken,
  );
  let next = 0;
  for (const { text, start, end } of utterances) {
    for (const _ of text.split(" ")) {
      const word = words[next++];
      t.true(
        word !== undefined && word.start >= start && word.end <= end,
        `${JSON.stringify(word)} in ${start}–${end}`,
      );
    }
  }
});

test.serial("several files are one JSON object a line, in the order asked for", async (t) => {
  const files = [await put("long.wav", silence(61)), await put("short.wav", silence(2))];
  const { code, stdout, stderr } = await demo(...files, "--json");
  t.is(code, 0, stderr);
  const transcripts = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Transcript);
  t.deepEqual(
    transcripts.map(({ audio_duration, billed_duration, text }) => [audio_duration, billed_duration, text]),
    [
      [61, 120, ""],
      [2, 60, ""],
    ],
  );
  for (const { warnings } of transcripts) t.true(warnings?.includes("asr_no_segments"));
});

test.serial("what cannot be sent is said before anything is sent", async (t) => {
  const directory = join(service.stateDir, "a directory");
  await mkdir(directory, { recursive: true });
  for (const [path, message] of [
    [join(service.stateDir, "absent.wav"), /absent\.wav does not exist/],
    [directory, /is a directory/],
    ["/dev/null", /is not a regular file/],
  ] as const) {
    const { code, stdout, stderr } = await demo(path, "--json");
    t.is(code, 1);
    t.is(stdout, "");
    t.regex(stderr, message);
    t.notRegex(stderr, /\n {4}at /, "a plain message, no stack");
  }
  const { code, stderr } = await demo("--no-such-option");
  t.is(code, 1);
  t.regex(stderr, /--no-such-option/);
});

const REFUSED: [name: string, content: Uint8Array | string][] = [
  ["archive.mp3", Buffer.from("504b0304140000000800", "hex")],
  ["playlist.mp4", "#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret.ts\n"],
  ["page.wav", "<!doctype html><title>no sound</title>"],
];
for (const [name, content] of REFUSED) {
  test.serial(`${name} is refused as no audio`, async (t) => {
    const { code, stdout, stderr } = await demo(await put(name, content), "--json");
    t.is(code, 1);
    t.is(stdout, "");
    t.regex(stderr, /unsupported_audio_format \(415, req_/);
  });
}

test.serial("audio that cannot be decoded ends as a failed transcript that costs nothing", async (t) => {
  const before = await balance();
  const whole = await readFile(join(sample, "call.ogg"));
  const bad: [string, Uint8Array][] = [
    ["empty.wav", new Uint8Array()],
    ["header-only.wav", silence(0).subarray(0, 30)],
    ["noise.ogg", Buffer.concat([whole.subarray(0, 64), Buffer.alloc(4_000, 0x5a)])],
  ];
  for (const [name, content] of bad) {
    const { code, stdout, stderr } = await demo(await put(name, content), "--json");
    t.is(code, 1, name);
    const transcript = JSON.parse(stdout) as Transcript;
    t.is(transcript.status, "failed", name);
    t.truthy(transcript.error?.message);
    t.true(stderr.includes(transcript.error?.message ?? "?"), stderr);
  }
  t.is(await balance(), before);
});

test.serial("a millisecond of audio, and a header that claims ten hours, are billed by what is there", async (t) => {
  for (const [name, content] of [
    ["millisecond.wav", silence(0.001)],
    ["boaster.wav", silence(2, 36_000)],
  ] as const) {
    const { stdout, stderr } = await demo(await put(name, content), "--json");
    const transcript = JSON.parse(stdout || "{}") as Transcript;
    t.true(["completed", "failed"].includes(transcript.status), stderr);
    if (transcript.status === "completed") t.is(transcript.billed_duration, 60, name);
  }
});

async function balance(): Promise<number> {
  const { body } = await service.call("GET", "/v1/balance");
  return (body as { balance_eur: number }).balance_eur;
}
