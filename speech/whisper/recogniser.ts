import { segmentsOf } from "../alignment/segments.ts";
import type { SpokenWord } from "../alignment/word-times.ts";
import type { Term } from "../terms/terms.ts";
import type { Span, Window, WindowResult } from "../types.ts";
import type { Attempt } from "./attempt.ts";
import { honoursTerms, withTerms } from "./custom-terms.ts";
import { averageLogprob } from "./guards.ts";
import { type LanguageScore, scoreLanguages } from "./language-scores.ts";
import { type Hearing, Listener, type ReadAudio } from "./listener.ts";
import type { WhisperModel } from "./model.ts";
import { accept, type Found, isRight, retry } from "./retry.ts";

export interface Recognition extends Hearing {
  /** What the caller expects to hear, compiled. */
  terms?: readonly Term[] | undefined;
  /** Called for each window as soon as its text stands. */
  onWindow: (result: WindowResult) => void;
}

/** Windows of speech to text with word times. */
export class Recogniser {
  readonly #batch: number;
  readonly #listener: Listener;

  /** `batch` windows are decoded side by side. */
  constructor(model: WhisperModel, batch: number) {
    this.#batch = batch;
    this.#listener = new Listener(model, batch);
  }

  /** Decodes windows in order, `batch` at a time. Throws UnsupportedLanguage, SpanOutside. */
  async recognise(windows: readonly Window[], recognition: Recognition): Promise<void> {
    for (let from = 0; from < windows.length; from += this.#batch) {
      await this.#recogniseBatch(windows.slice(from, from + this.#batch), recognition);
    }
  }

  /** How likely each language is, best first; see `scoreLanguages`. */
  identify(
    windows: readonly { spans: Span[] }[],
    options: { languages: readonly string[]; read: ReadAudio; onBeat: () => void },
  ): Promise<LanguageScore[]> {
    return scoreLanguages(this.#listener.stepper, windows, options);
  }

  async #recogniseBatch(windows: readonly Window[], recognition: Recognition): Promise<void> {
    const { language, terms = [], onWindow } = recognition;
    const listener = this.#listener;
    const started = performance.now();
    for (const [row, { spans }] of windows.entries()) await listener.hear(spans, recognition, row);
    // Row 0 is needed for what follows, so it waits until every row has ended.
    const later: { row: number; first: Attempt }[] = [];
    await listener.greedy(
      windows.map(({ spans }) => spans),
      recognition,
      (row, first) => {
        // A batch's time is shared: this is an even part of what it took up to here.
        const computeMs = (performance.now() - started) / windows.length;
        if (isRight(first) && terms.length === 0) {
          onWindow(toResult(windows[row] as Window, language, accept(first), computeMs));
        } else later.push({ row, first });
      },
    );
    const shared = (performance.now() - started) / windows.length;
    for (const { row, first } of later.sort((a, b) => a.row - b.row)) {
      const since = performance.now();
      const window = windows[row] as Window;
      const found = isRight(first) ? accept(first) : await retry(listener, window.spans, first, recognition);
      if (terms.length > 0) await this.#placeTerms(found, terms, recognition);
      onWindow(toResult(window, language, found, shared + performance.now() - since));
    }
  }

  /** Puts the caller's terms into the words found. */
  async #placeTerms(found: Found, terms: readonly Term[], hearing: Hearing): Promise<void> {
    const { language, onBeat } = hearing;
    found.terms = null;
    if (!honoursTerms(language)) return;
    found.terms = 0;
    const words: SpokenWord[] = [];
    for (const piece of found.best.pieces) {
      const placed = await withTerms(piece, terms, {
        stepper: this.#listener.stepper,
        language,
        hear: () => this.#listener.hear(piece.spans, hearing),
        onStep: onBeat,
      });
      words.push(...placed.words);
      found.terms += placed.count;
    }
    found.words = words.sort((a, b) => a.start - b.start);
  }
}

function toResult(
  window: Window,
  language: string,
  { best, words, reasons, retries, generated, terms }: Found,
  computeMs: number,
): WindowResult {
  return {
    index: window.index,
    language,
    segments: segmentsOf(words),
    averageLogprob: averageLogprob(best),
    tokens: generated,
    retries,
    ...(reasons.length > 0 && { reasons }),
    ...(terms !== undefined && { terms }),
    computeMs: Math.round(computeMs),
  };
}
