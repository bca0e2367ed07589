import { join } from "node:path";
import { round } from "../../../bench/benchmark.ts";
import { defaultModelsDirectory, ensure } from "../../../models/ensure.ts";
import { createEngine, type Engine } from "../../../speech/engine/engine.ts";
import { lexiconOf } from "../../../understanding/pii/language/languages.ts";
import { recognise } from "../../../understanding/pii/recognise.ts";
import { redact } from "../../../understanding/pii/redact.ts";
import { readTurn } from "../../../understanding/pii/spoken/elements.ts";
import { evaluationCache } from "../../evaluation.ts";
import type { Part } from "../part.ts";
import { makeExchanges } from "./calls.ts";
import { hear } from "./hear.ts";
import type { Chosen, Language } from "./types.ts";
import type { Deterministic } from "./values.ts";
import { percent } from "./values-in-text.ts";

/** Values that are mostly digits: what recognition makes of them can be held against them. */
const HEARD: Deterministic[] = [
  "NATIONAL_ID",
  "BANK_ACCOUNT",
  "CARD",
  "PASSPORT",
  "LICENSE_PLATE",
  "PHONE",
  "DATE_OF_BIRTH",
];

const SEED = 3;

/**
 * Exchanges about one value each, spoken by synthetic voices, heard by the engine turn by turn and redacted by rules.
 * `pii_leaked_chars` counts the digits of values that can still be read, in their order, in what is left;
 * `pii_heard_chars` those that recognition brought at all.
 */
export async function heardValues({ split, heard }: Chosen, say: (line: string) => void): Promise<Part> {
  let engine: Engine | undefined;
  const started = async () => {
    engine ??= createEngine({
      modelDir: await ensure("whisper-base", { dir: defaultModelsDirectory(process.env) }),
      threads: 1,
    });
    return engine;
  };
  const rows: string[][] = [];
  const sum = { values: 0, digits: 0, heard: 0, leaked: 0, clean: 0 };
  try {
    for (const language of ["es", "en"] as const) {
      const own = { values: 0, digits: 0, heard: 0, leaked: 0, clean: 0 };
      for (const type of HEARD)
        for (const exchange of makeExchanges(language, split, type, heard, SEED)) {
          const call = await hear(exchange, language, join(evaluationCache(), "heard"), started);
          const { utterances_redacted } = redact(call, recognise(call), "entity_name");
          const value = digitsOf(
            exchange.gold.flatMap(({ pieces }) =>
              pieces.map(
                ({ utterance, start, end }) => exchange.call.utterances[utterance]?.text.slice(start, end) ?? "",
              ),
            ),
            language,
          );
          const leaked = common(
            value,
            digitsOf(
              utterances_redacted.map(({ text }) => text),
              language,
            ),
          );
          own.values += 1;
          own.digits += value.length;
          own.heard += common(
            value,
            digitsOf(
              call.utterances.map(({ text }) => text),
              language,
            ),
          );
          own.leaked += leaked;
          if (leaked <= 1) own.clean += 1;
        }
      say(`${language}: ${own.values} values heard`);
      rows.push(row(language, own));
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += own[name];
    }
  } finally {
    await engine?.close();
  }
  return {
    rows: [
      ["personal data through recognition", "values", "digits", "heard", "left", "values hidden"],
      ...rows,
      row("all", sum),
    ],
    figures: {
      pii_heard_values: sum.values,
      pii_heard_chars: sum.heard,
      pii_leaked_chars: sum.leaked,
      pii_leaked_share: round(sum.leaked / Math.max(1, sum.heard), 4),
      pii_heard_hidden: round(sum.clean / Math.max(1, sum.values), 4),
    },
    passed: true,
  };
}

function row(
  name: string,
  {
    values,
    digits,
    heard,
    leaked,
    clean,
  }: { values: number; digits: number; heard: number; leaked: number; clean: number },
): string[] {
  return [name, String(values), String(digits), String(heard), String(leaked), percent(clean / Math.max(1, values))];
}

/** The digits that texts say, in order. */
function digitsOf(texts: readonly string[], language: Language): string {
  return texts
    .flatMap((text) => readTurn(text.replaceAll(/\[[A-Z_]+\]/gu, " "), lexiconOf(language)).elements)
    .map((element) => (element.kind === "digits" ? element.text : ""))
    .join("");
}

/** Length of the longest common subsequence. */
function common(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const sign of a) {
    const next = [0];
    for (let at = 1; at <= b.length; at++)
      next.push(b[at - 1] === sign ? (row[at - 1] as number) + 1 : Math.max(row[at] as number, next[at - 1] as number));
    row = next;
  }
  return row[b.length] as number;
}
