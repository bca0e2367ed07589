import type { SpokenWord } from "../alignment/word-times.ts";
import type { Evidence } from "../language/evidence.ts";
import type { Family } from "../recognition/family.ts";
import type { Term } from "../terms/terms.ts";
import type { Detection, Span, Window, WindowResult } from "../types.ts";
import type { Attempt } from "./attempt.ts";
import { honoursTerms, withTerms } from "./custom-terms.ts";
import { LanguageEar } from "./language-ear.ts";
import { scoreLanguages } from "./language-scores.ts";
import { type Hearing, Listener, type ReadAudio } from "./listener.ts";
import type { WhisperModel } from "./model.ts";
import { accept, type Found, isRight, retry } from "./retry.ts";
import { type LanguagePart, mainLanguage, partsOfRow, toWindowLanguage } from "./window-languages.ts";
import { toResult } from "./window-result.ts";

export interface Recognition extends Hearing {
  /** With it each window is asked for its own language, and `language` is that of none. */
  detection?: Detection | undefined;
  /** What the caller expects to hear, compiled. */
  terms?: readonly Term[] | undefined;
  /** Called for each window as soon as its text stands. */
  onWindow: (result: WindowResult) => void;
}

/** A window and the languages it was asked for: none when its language was given. */
interface Asked {
  window: Window;
  parts: LanguagePart[];
}

/** A detected language this likely is clear enough for a family that cannot tell languages itself. */
const CLEAR = 0.8;

/** Windows of speech to text with word times. */
export class Recogniser {
  readonly #batch: number;
  readonly #listener: Listener;
  readonly #family: Family | undefined;

  /** `batch` windows are decoded side by side; `family` hears those that it can, and Whisper the others. */
  constructor(model: WhisperModel, batch: number, family?: Family) {
    this.#batch = batch;
    this.#listener = new Listener(model, batch);
    this.#family = family;
  }

  /** Decodes windows in order, `batch` at a time. Throws UnsupportedLanguage, SpanOutside. */
  async recognise(windows: readonly Window[], recognition: Recognition): Promise<void> {
    for (let from = 0; from < windows.length; from += this.#batch) {
      await this.#recogniseBatch(windows.slice(from, from + this.#batch), recognition);
    }
  }

  /** What windows spread over a recording sound like; see `scoreLanguages`. */
  identify(
    windows: readonly { spans: Span[] }[],
    options: { languages: readonly string[]; read: ReadAudio; onBeat: () => void },
  ): Promise<Evidence[]> {
    return scoreLanguages(this.#listener.stepper, windows, options);
  }

  async #recogniseBatch(windows: readonly Window[], recognition: Recognition): Promise<void> {
    const { terms = [], onWindow } = recognition;
    const listener = this.#listener;
    const started = performance.now();
    const { together, mixed } = await this.#ask(windows, recognition);
    const languageOf = ({ parts }: Asked) => parts[0]?.language ?? recognition.language;
    // Row 0 is needed for what follows, so it waits until every row has ended.
    const later: { row: number; first: Attempt }[] = [];
    await listener.greedy(
      together.map((asked) => ({ spans: asked.window.spans, language: languageOf(asked) })),
      recognition,
      (row, first) => {
        const asked = together[row] as Asked;
        // A batch's time is shared: this is an even part of what it took up to here.
        const computeMs = (performance.now() - started) / windows.length;
        if (isRight(first) && terms.length === 0) {
          onWindow(toResult(asked.window, languageOf(asked), asked.parts, [accept(first)], computeMs));
        } else later.push({ row, first });
      },
    );
    const shared = (performance.now() - started) / windows.length;
    for (const { row, first } of later.sort((a, b) => a.row - b.row)) {
      const since = performance.now();
      const asked = together[row] as Asked;
      const language = languageOf(asked);
      const found = await this.#finish(asked.window.spans, first, { ...recognition, language });
      onWindow(toResult(asked.window, language, asked.parts, [found], shared + performance.now() - since));
    }
    for (const { window, parts } of mixed) {
      const since = performance.now();
      const found: Found[] = [];
      for (const part of parts) found.push(await this.#decodePart(part, recognition));
      onWindow(toResult(window, mainLanguage(parts), parts, found, shared + performance.now() - since));
    }
  }

  /**
   * Hears the windows and asks each for its language. Those of one language are left in rows 0 …, to be decoded side by
   * side; those of several must be heard again, part by part; those that the fast family could hear are done.
   */
  async #ask(windows: readonly Window[], recognition: Recognition): Promise<{ together: Asked[]; mixed: Asked[] }> {
    const { detection } = recognition;
    const ear = detection && new LanguageEar(this.#listener.stepper, detection.languages);
    const together: Asked[] = [];
    const mixed: Asked[] = [];
    for (const window of windows) {
      const row = together.length;
      const hear = (spans: readonly Span[]) => this.#listener.hear(spans, recognition, row);
      await recognition.read(window.spans, this.#listener.audio(row));
      // A language that the caller named needs no encoder run of Whisper's to be known.
      if (!ear && (await this.#hearFast(window, row, [], recognition))) continue;
      await this.#listener.encode(row, recognition);
      const parts = ear && detection ? await partsOfRow(row, window.spans, { detection, ear, hear }) : [];
      if (parts.length === 1 && (await this.#hearFast(window, row, parts, recognition))) continue;
      (parts.length > 1 ? mixed : together).push({ window, parts });
    }
    return { together, mixed };
  }

  /** True when the fast family's text of the row stands. The caller's vocabulary is Whisper's to hear. */
  async #hearFast(
    window: Window,
    row: number,
    parts: readonly LanguagePart[],
    { language, terms = [], onBeat, onWindow }: Recognition,
  ): Promise<boolean> {
    if (!this.#family || terms.length > 0) return false;
    const [part] = parts;
    if (part && (part.belief[part.language] ?? 0) < CLEAR) return false;
    const audio = this.#listener.audio(row);
    // Not at the top: it brings what is known of sixty languages, a third of a second that a start without a family saves.
    const { hearFast } = await import("../recognition/hear-fast.ts");
    const result = await hearFast(this.#family, window, { language: part?.language ?? language, audio, onBeat });
    if (!result) return false;
    onWindow(part ? { ...result, languages: [toWindowLanguage(part)] } : result);
    return true;
  }

  /** A part of a window, alone in row 0. */
  async #decodePart(part: LanguagePart, recognition: Recognition): Promise<Found> {
    const own = { ...recognition, language: part.language };
    await this.#listener.hear(part.spans, own);
    const attempts: Attempt[] = [];
    await this.#listener.greedy([part], own, (_, first) => attempts.push(first));
    return this.#finish(part.spans, attempts[0] as Attempt, own);
  }

  /** What comes of a first attempt: retries where it is not right, and the caller's terms. Uses row 0. */
  async #finish(spans: readonly Span[], first: Attempt, recognition: Recognition): Promise<Found> {
    const { terms = [] } = recognition;
    const found = isRight(first) ? accept(first) : await retry(this.#listener, spans, first, recognition);
    if (terms.length > 0) await this.#placeTerms(found, terms, recognition);
    return found;
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
