import test from "ava";
import { clock, readable } from "../../embedded/print.ts";

test("a transcript is printed with times, speakers, text, cost and warnings", (t) => {
  const printed = readable("call.ogg", {
    id: "tr_1",
    status: "completed",
    error: null,
    language: "en",
    language_confidence: 0.987,
    audio_duration: 58.763,
    speech_duration: 50.2,
    billed_duration: 60,
    utterances: [
      { speaker: "0", speakerRole: "agent", text: "Good morning.", start: 0.4, end: 1.36 },
      { speaker: "1", speakerRole: null, text: "Hello.", start: 61.04, end: 62 },
      { speaker: null, speakerRole: null, text: "Bye.", start: 3_661.5, end: 3_662 },
    ],
    warnings: ["diarization_unavailable"],
    usage: { total_eur: 0.0065 },
  });
  t.is(
    printed,
    `call.ogg

  0:00.4 – 0:01.4  Agent: Good morning.
  1:01.0 – 1:02.0  Speaker 1: Hello.
  1:01:01.5 – 1:01:02.0  Bye.

  Transcript  tr_1
  Language    en (confidence 0.99)
  Duration    58.8 s, of which 50.2 s of speech
  Billed      60 s
  Cost        0.006500 EUR
  Warnings    diarization_unavailable
`,
  );
});

test("silence is said to be silence", (t) => {
  const printed = readable("s.wav", { id: "tr_2", status: "completed", error: null, utterances: [], warnings: [] });
  t.regex(printed, /\(no speech\)/);
  t.regex(printed, /Warnings {4}none/);
});

test("a tenth that rounds up carries into the minute", (t) => {
  t.is(clock(59.96), "1:00.0");
  t.is(clock(3_599.96), "1:00:00.0");
  t.is(clock(0), "0:00.0");
});
