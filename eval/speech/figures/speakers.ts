import { type DiarizationErrors, diarizationErrorRate, diarizationErrors } from "../measure/diarization.ts";
import { bootstrap } from "../measure/intervals.ts";
import { rightCounts, speakerCount, splits } from "../measure/speaker-counts.ts";
import { type Figure, figure, proportion } from "./figure.ts";
import { answeredTurns, type Measured } from "./measured.ts";

/** Seconds on both sides of a turn's border that are not scored. */
const COLLAR = 0.25;

export interface SpeakerFigures {
  /** Means over two-speaker calls, percent. */
  der: Figure;
  derCollar: Figure;
  /** The worst of those calls, with the collar. */
  worstCollar: Figure;
  /** Calls of three and more. */
  derCollarMore: Figure;
  countAccuracy: Figure;
  singleSplit: Figure;
}

/** Of recordings whose turns are known. A transcript that separates no speakers has missed all of them. */
export function speakerFigures(measured: readonly Measured[]): SpeakerFigures {
  const known = measured.filter(({ recording }) => (recording.turns?.length ?? 0) > 0);
  const calls = known.map((one) => {
    const turns = one.recording.turns ?? [];
    const answer = answeredTurns(one);
    return {
      count: speakerCount(turns, answer),
      plain: diarizationErrors(turns, answer ?? []),
      collared: diarizationErrors(turns, answer ?? [], { collar: COLLAR }),
    };
  });
  const two = calls.filter(({ count }) => count.reference === 2);
  const more = calls.filter(({ count }) => count.reference > 2);
  const counts = calls.map(({ count }) => count);
  const rates = two.map(({ collared }) => diarizationErrorRate(collared));
  return {
    der: meanRate(two.map(({ plain }) => plain)),
    derCollar: meanRate(two.map(({ collared }) => collared)),
    worstCollar: figure(rates.length > 0 ? Math.max(...rates) : null, null, two.length, "calls"),
    derCollarMore: meanRate(more.map(({ collared }) => collared)),
    countAccuracy: proportion(rightCounts(counts), "recordings"),
    singleSplit: proportion(splits(counts), "recordings of one voice"),
  };
}

function meanRate(calls: readonly DiarizationErrors[]): Figure {
  const mean = (drawn: readonly DiarizationErrors[]) =>
    drawn.reduce((sum, call) => sum + diarizationErrorRate(call), 0) / drawn.length;
  return figure(mean(calls), bootstrap(calls, mean), calls.length, "calls");
}
