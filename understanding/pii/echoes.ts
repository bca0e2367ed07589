import type { Run } from "./runs.ts";
import type { Turn } from "./spoken/elements.ts";
import type { Entity, PiiType } from "./types.ts";

/** So many digits of a value, said once more, tell of it. */
const LEAST = 4;

/** What is repeated of a value elsewhere in the call, "y acaba en 53 32", though nothing there says what it is. */
export function findEchoes(entities: readonly Entity[], runs: readonly Run[], turns: readonly Turn[]): Entity[] {
  const values = valuesOf(entities, turns);
  return runs.flatMap(({ atoms }) => {
    const said = atoms.filter(({ kind }) => kind === "digits");
    const [first, last] = [said[0], said.at(-1)];
    const digits = said.map(({ text }) => text).join("");
    if (!first || !last || first.utterance !== last.utterance || digits.length < LEAST) return [];
    const { utterance, start } = first;
    const { end } = last;
    const found = entities.some((one) => one.utterance === utterance && one.start < end && start < one.end);
    const [type] = [...values].find(([, value]) => value.includes(digits)) ?? [];
    return found || !type ? [] : [{ type, utterance, start, end, confidence: 0.5, source: "rule" }];
  });
}

const NUMBERS: PiiType[] = ["PHONE", "NATIONAL_ID", "BANK_ACCOUNT", "CARD", "PASSPORT"];

/** The digits of each type's entities, in the order of the call. */
function valuesOf(entities: readonly Entity[], turns: readonly Turn[]): Map<PiiType, string> {
  return new Map(
    NUMBERS.map((type) => [
      type,
      entities
        .filter((entity) => entity.type === type)
        .flatMap((entity) =>
          (turns[entity.utterance] as Turn).elements.map((one) =>
            one.kind === "digits" && one.start >= entity.start && one.end <= entity.end ? one.text : "",
          ),
        )
        .join(""),
    ]),
  );
}
