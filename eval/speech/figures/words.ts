import { bootstrap } from "../measure/intervals.ts";
import type { Normaliser } from "../measure/normaliser.ts";
import { excess, pair, type WordErrors, wordErrorRate, wordErrors } from "../measure/word-errors.ts";
import type { Rival, RivalSetting } from "../run/rival.ts";
import { RIVAL_SETTINGS } from "../run/rival.ts";
import { type Figure, figure } from "./figure.ts";
import { type Measured, utterancesOf } from "./measured.ts";

export interface WordFigures {
  wer: Figure;
  fasterWhisperWer: Figure;
  /** Of the better of its settings. */
  fasterWhisperSetting: RivalSetting | null;
  /** Points that ours is above theirs; what counts is the lower end of the interval. */
  excess: Figure;
}

/** Word errors of the recordings whose words are known, by utterance. */
export async function errorsOf(
  measured: readonly Measured[],
  textOf: (measured: Measured) => string,
  normaliser: Normaliser,
): Promise<WordErrors[]> {
  const units: WordErrors[] = [];
  for (const one of measured) {
    const { language } = one.recording;
    const utterances = await normaliser.words(utterancesOf(one.recording), language);
    const [heard] = await normaliser.words([textOf(one)], language);
    units.push(...wordErrors(utterances, heard as string[]));
  }
  return units;
}

export const ourText = ({ transcript }: Measured) => transcript.text;

export async function werOf(measured: readonly Measured[], normaliser: Normaliser): Promise<Figure> {
  return werFigure(await errorsOf(measured, ourText, normaliser));
}

function werFigure(units: readonly WordErrors[]): Figure {
  const words = units.reduce((sum, unit) => sum + unit.words, 0);
  return figure(wordErrorRate(units), bootstrap(units, wordErrorRate), words, "words");
}

/**
 * Ours beside the better of faster-whisper's two ways, on the recordings that both have heard. `theirs` holds its
 * texts by recording and setting.
 */
export async function wordsAgainst(
  measured: readonly Measured[],
  theirs: ReadonlyMap<string, Record<RivalSetting, string>>,
  normaliser: Normaliser,
): Promise<WordFigures> {
  const both = measured.filter(({ recording }) => theirs.has(recording.id));
  const ours = await errorsOf(both, ourText, normaliser);
  let better: { setting: RivalSetting; units: WordErrors[] } | undefined;
  for (const setting of Object.keys(RIVAL_SETTINGS) as RivalSetting[]) {
    const textOf = ({ recording }: Measured) => theirs.get(recording.id)?.[setting] ?? "";
    const units = await errorsOf(both, textOf, normaliser);
    if (!better || wordErrorRate(units) < wordErrorRate(better.units)) better = { setting, units };
  }
  if (!better || both.length === 0) {
    const none = figure(null, null, 0, "words");
    return { wer: await werOf(measured, normaliser), fasterWhisperWer: none, fasterWhisperSetting: null, excess: none };
  }
  const paired = pair(ours, better.units);
  const { n } = werFigure(ours);
  return {
    wer: werFigure(ours),
    fasterWhisperWer: werFigure(better.units),
    fasterWhisperSetting: better.setting,
    excess: figure(excess(paired), bootstrap(paired, excess), n, "words"),
  };
}

/** Its texts of the recordings, made while `timeLeft` and else as they are kept. */
export async function rivalTexts(
  rival: Rival,
  measured: readonly Measured[],
  timeLeft: () => boolean,
  say: (line: string) => void,
): Promise<Map<string, Record<RivalSetting, string>>> {
  const texts = new Map<string, Record<RivalSetting, string>>();
  for (const { recording } of measured) {
    const found: Partial<Record<RivalSetting, string>> = {};
    for (const setting of Object.keys(RIVAL_SETTINGS) as RivalSetting[]) {
      const kept = await rival.known(recording.path, setting);
      if (kept === null && !timeLeft()) continue;
      if (kept === null) say(`faster-whisper, ${setting}: ${recording.id}`);
      found[setting] = kept ?? (await rival.text(recording.path, setting));
    }
    const { batched, sequential } = found;
    if (batched !== undefined && sequential !== undefined) texts.set(recording.id, { batched, sequential });
  }
  return texts;
}
