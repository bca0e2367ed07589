import type { Tensor } from "onnxruntime-node";
import type { Evidence } from "../language/evidence.ts";
import { languageToken } from "../languages.ts";
import { onlyBias } from "./bias.ts";
import type { WhisperModel } from "./model.ts";
import type { Stepper } from "./step.ts";

/**
 * Whisper's language identification: one decoder step on `<|startoftranscript|>`, the languages' own tokens only. Costs
 * a hundredth of the encoder run before it, so a window that is decoded anyway is asked at no price.
 */
export class LanguageEar {
  readonly #stepper: Stepper;
  readonly #languages: ReadonlyMap<number, string>;
  readonly #bias: Tensor;

  /** Of the languages, ISO 639-1, those the model has. Throws LanguagesUnavailable when it has none of them. */
  constructor(stepper: Stepper, languages: readonly string[]) {
    this.#stepper = stepper;
    this.#languages = numbersOf(stepper.model, languages);
    this.#bias = onlyBias(stepper.model, this.#languages.keys());
  }

  /** What row `row` of the cross cache sounds like; it holds this many seconds of speech. */
  async listen(row: number, seconds: number): Promise<Evidence> {
    const { cross, self, model } = this.#stepper;
    const count = this.#languages.size;
    self.clear();
    const step = await this.#stepper.step([model.tokens.startOfTranscript], {
      rows: 1,
      bias: this.#bias,
      top: count,
      heard: cross.feeds(row, 1),
    });
    const logprobs: Record<string, number> = Object.fromEntries(
      [...this.#languages.values()].map((language) => [language, Number.NEGATIVE_INFINITY]),
    );
    for (let rank = 0; rank < count; rank++) {
      logprobs[this.#languages.get(Number(step.tokens[rank])) as string] = step.logprobs[rank] as number;
    }
    return { seconds, logprobs };
  }
}

function numbersOf(model: WhisperModel, languages: readonly string[]): Map<number, string> {
  const numbers = new Map<number, string>();
  for (const language of languages) {
    const number = model.multilingual ? model.vocabulary.special(languageToken(language)) : undefined;
    if (number !== undefined) numbers.set(number, language);
  }
  if (numbers.size === 0) throw new LanguagesUnavailable();
  return numbers;
}

/** The installed model cannot tell languages: it knows English only, or none of those asked for. */
export class LanguagesUnavailable extends Error {
  override name = "LanguagesUnavailable";
  constructor() {
    super("the installed model cannot tell languages apart");
  }
}
