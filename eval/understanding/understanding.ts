import { table, wholeNumber } from "../../bench/benchmark.ts";
import type { Evaluation } from "../evaluation.ts";
import { markdownTable, writeFigures } from "../quality-page.ts";
import { embeddedModel } from "./embedded-model.ts";
import { hostile } from "./hostile/hostile.ts";
import { injection } from "./injection/injection.ts";
import type { Part } from "./part.ts";
import { dictatedValues, talkedValues } from "./pii/dictations.ts";
import { heardValues } from "./pii/heard.ts";
import { namesAndAddresses } from "./pii/names.ts";
import type { Chosen } from "./pii/types.ts";
import { writtenValues } from "./pii/values-in-text.ts";

type Options = Record<string, string | undefined>;
type Say = (line: string) => void;

/** By the names that `--only` takes. */
const PARTS: Record<string, (options: Options, say: Say) => Promise<Part>> = {
  hostile: (options, say) => hostile(wholeNumber(options, "answers", 1_000), say),
  injection: async (options, say) => {
    const model = options.embedded ? await embeddedModel() : undefined;
    try {
      return await injection(
        say,
        { development: Boolean(options.development), every: wholeNumber(options, "every", 1) },
        model?.ask,
      );
    } finally {
      await model?.stop();
    }
  },
  "pii-text": (options) => Promise.resolve(writtenValues(chosen(options))),
  "pii-dictations": () => dictatedValues("dictation"),
  "pii-everyday": () => dictatedValues("everyday"),
  "pii-talk": (options) => talkedValues(chosen(options).calls),
  "pii-heard": (options, say) => heardValues(chosen(options), say),
  "pii-names": (options, say) => namesAndAddresses(chosen(options), Boolean(options.embedded), say),
};

const chosen = (options: Options): Chosen => ({
  split: options.development ? "development" : options.wider ? "wider" : "held-out",
  calls: wholeNumber(options, "calls", 600),
  heard: wholeNumber(options, "heard", 2),
});

export const understanding: Evaluation = {
  summary: "the seven modules: hostile answers, orders said in a call, personal data",
  help: `Options:
  --only A,B     of the parts ${Object.keys(PARTS).join(", ")} (default: all)
  --answers N    hostile answers (default 1000)
  --calls N      calls of each language full of personal data (default 600; a twentieth of it where a model is asked)
  --heard N      values of each type and language that are spoken and heard (default 2; what was heard is kept, so that
                 more can be added a few at a time)
  --every N      of the orders each Nth only, for a model that takes its time (default 1)
  --development  the orders and calls that checks were made better with, instead of those held out
  --wider        the calls that were written to find what the rules did not know
  --write        writes the tables into docs/quality.md
  --embedded     orders, names and addresses are said to the small embedded model too: twenty minutes or so

hostile     a server that answers truncated, mistyped, foreign, refusing, invented, huge or empty: every result
            must be valid or named in a warning, and nothing named is billed
injection   fifty orders to the machine, said on the phone: no module may follow one
pii-text    values that have a form, by rules alone on the true text: how many are found, and rightly
pii-dictations  calls written by hand, apart from the rules: values as people dictate them, numbers that are nobody's
pii-everyday  the same of a second author, flat and mixed as recognition writes
pii-talk    the same in calls made of phrases of everyday talk, half of which nobody looked at
pii-heard   the values of pii-text spoken by synthetic voices (Debian's espeak-ng and flite) and heard by the engine
pii-names   names and addresses, by each model that ESCRIBA_UPSTREAMS names`,
  options: {
    only: { type: "string" },
    answers: { type: "string" },
    calls: { type: "string" },
    heard: { type: "string" },
    development: { type: "boolean" },
    wider: { type: "boolean" },
    embedded: { type: "boolean" },
    every: { type: "string" },
    write: { type: "boolean" },
  },
  async run(options, say) {
    const names = options.only?.split(",") ?? Object.keys(PARTS);
    const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
    if (unknown.length > 0)
      throw new Error(`there is no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
    const found: Measured[] = [];
    for (const name of names) {
      say(`${name} begins, ${found.length + 1} of ${names.length}`);
      const started = performance.now();
      const part = await (PARTS[name] as (typeof PARTS)[string])(options, say);
      found.push({ name, seconds: (performance.now() - started) / 1_000, part });
      say(`${name} took ${found.at(-1)?.seconds.toFixed(0)} s`);
    }
    const figures: Record<string, number> = Object.assign({}, ...found.map(({ part }) => part.figures));
    if (options.write) await writeFigures("understanding", "Understanding", pageOf(found, figures, options));
    return {
      table: found.map(({ part }) => table(part.rows)).join("\n\n"),
      figures,
      passed: found.every(({ part }) => part.passed),
    };
  },
};

interface Measured {
  name: string;
  seconds: number;
  part: Part;
}

/** Of all figures those that a release is judged by. */
const HEADLINES =
  "pii_recall pii_recall_low pii_precision pii_talk_recall_second pii_talk_recall_second_low pii_talk_precision_second pii_leaked_chars hostile_valid agent_sentiment_leaks labels_outside_list injection_followed".split(
    " ",
  );

/** The part of docs/quality.md that a run writes: how it was called, how long each part took, and the tables. */
function pageOf(found: readonly Measured[], figures: Record<string, number>, options: Options): string {
  const given = Object.entries(options).filter(([name, value]) => name !== "write" && value !== undefined);
  const command = ["npm run eval -- understanding", ...given.map(([name, value]) => `--${name} ${value}`)].join(" ");
  const heads = HEADLINES.filter((name) => figures[name] !== undefined);
  return [
    `\`${command.replaceAll(" true", "")}\``,
    markdownTable([["Figure", "Value"], ...heads.map((name) => [`\`${name}\``, String(figures[name])])]),
    ...found.map(({ name, seconds, part }) => `\`${name}\`, ${seconds.toFixed(0)} s:\n\n${markdownTable(part.rows)}`),
  ].join("\n\n");
}
