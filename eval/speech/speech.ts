import { join } from "node:path";
import { cacheDirectory, wholeNumber } from "../../bench/benchmark.ts";
import { type Evaluation, evaluationCache } from "../evaluation.ts";
import { markdownTable, writeFigures } from "../quality-page.ts";
import { writeDetails } from "./details.ts";
import { type Row, rowsOf } from "./figures/rows.ts";
import { rivalTexts } from "./figures/words.ts";
import { startNormaliser } from "./measure/normaliser.ts";
import { lines, report } from "./report.ts";
import { chosen, openRecordings, transcribeAll } from "./run/all.ts";
import { openRival } from "./run/rival.ts";
import { SET_NAMES } from "./sets/types.ts";

export const speech: Evaluation = {
  summary: "words, times, speakers, languages, roles and vocabulary of transcripts, beside faster-whisper",
  help: `  --only SETS    some sets, separated by commas: ${SET_NAMES.join(", ")}
  --split SPLIT  development or held-out (both)
  --limit N      recordings of each set and language (all)
  --made         only recordings that are made already
  --minutes N    what is not transcribed after N minutes is left out; 0: only what is transcribed already (no end)
  --threads N    threads of faster-whisper (2)
  --no-rival     without faster-whisper
  --details FILE one JSON line a recording, with what was said and heard
  --write        writes the table into docs/quality.md

Transcripts are kept by recording and code: a run that was ended carries on, and after a change of what follows
recognition nothing is heard again. ESCRIBA_UPSTREAMS names the language models that have a say in roles.`,
  options: {
    only: { type: "string" },
    split: { type: "string" },
    limit: { type: "string" },
    made: { type: "boolean" },
    minutes: { type: "string" },
    threads: { type: "string" },
    "no-rival": { type: "boolean" },
    details: { type: "string" },
    write: { type: "boolean" },
  },
  run: async (options, say) => {
    const cache = evaluationCache();
    const threads = wholeNumber(options, "threads", 2);
    const timeLeft = until(options.minutes);
    const recordings = await chosen(options, cache, say);
    const keep = await openRecordings(cache, process.env);
    const normaliser = await startNormaliser(say);
    const rival = await openRival(join(cache, "faster-whisper"), cacheDirectory(), threads, say);
    try {
      const measured = await transcribeAll(keep, recordings, "without", timeLeft, say);
      const terms = recordings.filter(({ set }) => set === "vocabulary");
      const withVocabulary = await transcribeAll(keep, terms, "with", timeLeft, say);
      const natural = measured.filter(({ recording }) => recording.set === "natural");
      const theirs = options["no-rival"] ? new Map() : await rivalTexts(rival, natural, timeLeft, say);
      if (options.details) await writeDetails(options.details, measured, theirs, normaliser);
      const rows = await rowsOf({ measured, withVocabulary, theirs, normaliser });
      const facts = {
        evaluation: "speech",
        recordings: measured.length,
        left_out: recordings.length - measured.length,
        hours: measured.reduce((sum, { recording }) => sum + recording.durationMs, 0) / 3_600_000,
      };
      const whole =
        !["only", "split", "limit", "made"].some((name) => options[name] !== undefined) && facts.left_out === 0;
      if (options.write) await writeFigures("speech", "Speech", page(rows, facts, options));
      return report(rows, facts, whole);
    } finally {
      await Promise.allSettled([normaliser.close(), rival.close(), keep.close()]);
    }
  },
};

/** The part of docs/quality.md that a run writes: how it was called, on what, and the table. */
function page(
  rows: readonly Row[],
  facts: { recordings: number; left_out: number; hours: number },
  options: Record<string, string | boolean | undefined>,
): string {
  const given = Object.entries(options).filter(
    ([name, value]) => name !== "write" && name !== "details" && value !== undefined,
  );
  const command = [
    "npm run eval -- speech",
    ...given.map(([name, value]) => `--${name}${value === true ? "" : ` ${value}`}`),
  ];
  const left = facts.left_out > 0 ? `; ${facts.left_out} recordings were left out` : "";
  const sample = `${facts.recordings} recordings, ${facts.hours.toFixed(2)} hours${left}.`;
  return `\`${command.join(" ")}\`: ${sample}\n\n${markdownTable(lines(rows))}`;
}

function until(minutes: string | undefined): () => boolean {
  if (minutes === undefined) return () => true;
  const most = Number(minutes);
  if (!(most >= 0)) throw new Error("--minutes wants a number of at least 0");
  const end = performance.now() + most * 60_000;
  return () => performance.now() < end;
}
