import test from "ava";
import fc from "fast-check";
import { cuesOf } from "../../speech/subtitle-cues.ts";
import { renderSrt, renderTxt, renderVtt } from "../../speech/subtitles.ts";
import type { Transcript, Utterance } from "../../speech/types.ts";

const transcript = (
  turns: (Partial<Utterance> & { text: string; start: number })[],
  change: Partial<Transcript> = {},
) => {
  const words = turns.flatMap(({ text, start }) =>
    text.split(" ").map((word, index) => ({ text: word, start: start + index * 0.3, end: start + index * 0.3 + 0.25 })),
  );
  const utterances = turns.map((turn): Utterance => {
    const count = turn.text.split(" ").length;
    return { speaker: null, speakerRole: null, end: turn.start + count * 0.3 - 0.05, ...turn };
  });
  return {
    language: "en",
    languageConfidence: 1,
    durationMs: 4_000_000,
    speechMs: 0,
    text: turns.map(({ text }) => text).join(" "),
    words,
    utterances,
    speakerRoleConfidence: 0,
    warnings: ["diarization_unavailable"],
    metrics: { chunks: 0, windows: 0, retriedWindows: 0, tokens: 0, asrSeconds: 0 },
    ...change,
  } satisfies Transcript;
};

const two = [
  { text: "Is 3 < 4 & 5 > 4?", start: 1, speaker: "0", speakerRole: "agent" as const },
  { text: "Yes.", start: 3_725.5, speaker: "1", speakerRole: "customer" as const },
];

test("without separated speakers there are no labels", (t) => {
  const plain = transcript(two);
  t.is(renderTxt(plain), "Is 3 < 4 & 5 > 4?\nYes.\n");
  t.is(
    renderSrt(plain),
    "1\n00:00:01,000 --> 00:00:03,350\nIs 3 < 4 & 5 > 4?\n\n2\n01:02:05,500 --> 01:02:06,500\nYes.\n",
  );
  t.is(
    renderVtt(plain),
    "WEBVTT\n\n00:00:01.000 --> 00:00:03.350\nIs 3 &lt; 4 &amp; 5 &gt; 4?\n\n01:02:05.500 --> 01:02:06.500\nYes.\n",
  );
});

test("roles stand where they are reliable, else the speaker's number", (t) => {
  const reliable = { warnings: [], speakerRoleConfidence: 0.6 };
  t.is(renderTxt(transcript(two, reliable)), "Agent: Is 3 < 4 & 5 > 4?\nCustomer: Yes.\n");
  t.regex(renderVtt(transcript(two, reliable)), /<v Agent>Is 3 &lt; 4/);
  for (const change of [
    { warnings: [], speakerRoleConfidence: 0.59 },
    { warnings: ["attribution_heuristic_disagrees"], speakerRoleConfidence: 0.9 },
    { warnings: ["diarization_single_speaker"], speakerRoleConfidence: 0.9 },
  ]) {
    t.is(renderTxt(transcript(two, change)), "Speaker 0: Is 3 < 4 & 5 > 4?\nSpeaker 1: Yes.\n");
    t.regex(renderVtt(transcript(two, change)), /<v Speaker 1>Yes\./);
  }
});

test("a third speaker without a role keeps the number beside agent and customer", (t) => {
  const three = [...two, { text: "Me too.", start: 3_730, speaker: "2", speakerRole: null }];
  const reliable = transcript(three, { warnings: [], speakerRoleConfidence: 0.9 });
  t.is(renderTxt(reliable), "Agent: Is 3 < 4 & 5 > 4?\nCustomer: Yes.\nSpeaker 2: Me too.\n");
  t.regex(renderVtt(reliable), /<v Speaker 2>Me too\./);
});

test("a turn longer than a cue is cut at its words' times, each cue with the turn's voice and none with another's", (t) => {
  const long = Array.from({ length: 40 }, (_, i) => `word${i}`).join(" ");
  const call = transcript(
    [
      { text: long, start: 0, speaker: "0" },
      { text: "Right.", start: 12, speaker: "1" },
    ],
    { warnings: [] },
  );
  const cues = cuesOf(call, " ");
  t.true(cues.length >= 4);
  for (const { lines, start, end, utterance } of cues) {
    const shown = lines.join(" ").split(" ");
    const spoken = call.words.filter((word) => word.start >= start && word.end <= end).map(({ text }) => text);
    t.deepEqual(shown, spoken);
    t.is(utterance.speaker, shown[0] === "Right." ? "1" : "0");
  }
  const voices = [...renderVtt(call).matchAll(/<v ([^>]+)>/g)].map(([, voice]) => voice);
  t.deepEqual(voices, [...Array.from({ length: cues.length - 1 }, () => "Speaker 0"), "Speaker 1"]);
  // SubRip has no voices: the words only.
  t.notRegex(renderSrt(call), /Speaker/);
});

test("an empty transcript has empty subtitles", (t) => {
  const empty = transcript([]);
  t.is(renderSrt(empty), "");
  t.is(renderVtt(empty), "WEBVTT\n");
  t.is(renderTxt(empty), "");
});

test("cues keep to two lines of 42 characters and 7 s, and show every word once, in order", (t) => {
  const word = fc.stringMatching(/^[a-zñ]{1,60}[.,?]?$/u);
  const turn = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(" "));
  const property = fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (texts) => {
    const long = transcript(texts.map((text, index) => ({ text, start: index * 100 })));
    const cues = cuesOf(long, " ");
    const shown = cues.flatMap(({ lines }) => lines).join("");
    if (shown.replaceAll(" ", "") !== texts.join("").replaceAll(" ", "")) return false;
    return cues.every(
      ({ start, end, lines }, index) =>
        lines.length <= 2 &&
        lines.every((line) => Array.from(line).length <= 42) &&
        end > start &&
        end - start <= 7 + 1e-9 &&
        end <= (cues[index + 1]?.start ?? Number.POSITIVE_INFINITY) + 1e-9,
    );
  });
  t.notThrows(() => fc.assert(property, { seed: 11, numRuns: 200 }));
});

test("a cue ends with its utterance and at a pause", (t) => {
  const turns = transcript([
    { text: "One two", start: 0 },
    { text: "three", start: 0.7 },
  ]);
  t.deepEqual(
    cuesOf(turns, " ").map(({ lines }) => lines),
    [["One two"], ["three"]],
  );
});
