import type { Composition } from "../eval/audio/compose.ts";
import type { DemoTranscript } from "./demo.ts";

/** `audio_duration` may differ from the file by this much. */
const DURATION_TOLERANCE = 0.05;

/** What is wrong with a transcript apart from its words: language, duration, and the order and place of the words. */
export function findFaults(transcript: DemoTranscript, file: Composition): string[] {
  const faults: string[] = [];
  const duration = file.samples / 16_000;
  if (transcript.status !== "completed") return [`status is ${transcript.status}`];
  if (transcript.language !== file.language) faults.push(`language ${transcript.language} instead of ${file.language}`);
  if (Math.abs(transcript.audio_duration - duration) > DURATION_TOLERANCE) {
    faults.push(`audio_duration ${transcript.audio_duration} instead of ${duration}`);
  }
  if (transcript.text !== transcript.utterances.map(({ text }) => text).join(" ")) {
    faults.push("text is not the utterances' text");
  }
  let before = 0;
  for (const [i, word] of transcript.words.entries()) {
    if (!(word.start >= before && word.end >= word.start && word.end <= duration + DURATION_TOLERANCE)) {
      faults.push(`word ${i} "${word.text}" at ${word.start}-${word.end} after ${before}, in ${duration} s`);
    }
    before = word.start;
    if (!transcript.utterances.some(({ start, end }) => word.start >= start && word.end <= end)) {
      faults.push(`word ${i} "${word.text}" at ${word.start}-${word.end} is in no utterance`);
    }
  }
  return faults.slice(0, 20);
}
