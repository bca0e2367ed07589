import type { Composition } from "../../eval/audio/compose.ts";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { round } from "../benchmark.ts";
import type { Contender } from "../contender.ts";
import { about } from "./fastest.ts";
import { entry, script } from "./field.ts";
import type { Bench, PartReport } from "./part.ts";
import { realTimeFactor, type Side, secondsOf, standings, werOfFile } from "./report.ts";
import { prepareSherpa } from "./sherpa.ts";
import { fastestOf, takeTurns } from "./turns.ts";

/** Moonshine, which both load, on the spans of speech that we find; null where the two cannot be compared. */
export async function besideSherpa(bench: Bench, ours: Contender, long: Composition): Promise<PartReport> {
  try {
    return await measureSherpa(bench, ours, long);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    bench.say(`sherpa-onnx: ${reason}`);
    return {
      table: `not measured: ${reason}`,
      figures: { sherpa_rtf: null, moonshine_rtf: null, speedup_sherpa: null, sherpa_reason: reason },
      reasons: { speedup_sherpa: reason },
    };
  }
}

async function measureSherpa(bench: Bench, ours: Contender, long: Composition): Promise<PartReport> {
  const { company, threads, cache, say } = bench;
  if (long.language !== "en") throw new Error("the model that both load, Moonshine tiny, hears English only");
  const model = await ensure("moonshine-tiny", { dir: defaultModelsDirectory(process.env) });
  const { home, tokens } = await prepareSherpa(cache, model, say);
  const { spans: windows } = await ours.ask(about(long));
  const question = { ...about(long), windows };
  const rivals = new Map<Contender, { seconds: number; label: string }>();
  for (const count of new Set([1, threads])) {
    const args = [script("contenders/sherpa.ts"), home, model, tokens, String(count)];
    const contender = await company.start("sherpa-onnx", process.execPath, args);
    const { seconds } = await fastestOf(contender, question, 2);
    const label = `${count} thread${count === 1 ? "" : "s"}`;
    say(`sherpa-onnx, ${label}: ${seconds.toFixed(2)} s`);
    rivals.set(contender, { seconds, label });
  }
  const [sherpa, { label }] = [...rivals].reduce((a, b) => (b[1].seconds < a[1].seconds ? b : a));
  await company.dismiss(...[...rivals.keys()].filter((other) => other !== sherpa));
  const args = [script("contenders/moonshine.ts"), model, String(threads)];
  const moonshine = await company.start("Escriba's Moonshine", process.execPath, args);
  await moonshine.ask(question);
  const answers = await takeTurns([entry(moonshine), entry(sherpa)], question, { ...bench, what: "Moonshine" });
  await company.dismiss(moonshine, sherpa);
  const names = [moonshine.name, `sherpa-onnx (${label})`];
  const sides = names.map((name, i) => ({ name, answers: answers[i] ?? [] })) as [Side, Side];
  const audioSeconds = long.samples / 16_000;
  const [rtf, sherpaRtf] = sides.map((side) => realTimeFactor(side, audioSeconds)) as [number, number];
  const wers = sides.map((side) => werOfFile(side, long));
  return {
    table: standings(sides, audioSeconds, wers),
    figures: {
      sherpa_rtf: round(sherpaRtf, 5),
      moonshine_rtf: round(rtf, 5),
      speedup_sherpa: round(sherpaRtf / rtf, 3),
      sherpa_reason: null,
      sherpa_model: "moonshine-tiny",
      sherpa_setting: label,
      moonshine_wer: wers[0],
      sherpa_wer: wers[1],
      moonshine_seconds: secondsOf(sides[0]),
      sherpa_seconds: secondsOf(sides[1]),
    },
  };
}
