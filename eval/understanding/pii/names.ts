import { createLog } from "../../../process/log.ts";
import { Registry } from "../../../process/metrics.ts";
import { createUnderstandingMetrics } from "../../../understanding/metrics.ts";
import { recognise } from "../../../understanding/pii/recognise.ts";
import type { Entity, PiiType } from "../../../understanding/pii/types.ts";
import { understandGroup } from "../../../understanding/understand.ts";
import { createUpstreams } from "../../../upstream/clients.ts";
import { upstreamsSetting } from "../../../upstream/settings.ts";
import { embeddedModel } from "../embedded-model.ts";
import type { Ask } from "../injection/injection.ts";
import type { Part } from "../part.ts";
import { fill } from "./calls.ts";
import { HARMLESS } from "./carriers/harmless.ts";
import { FIRST_NAMES, PEOPLE, STREETS, SURNAMES, TOWNS } from "./carriers/people.ts";
import { tally } from "./measure.ts";
import { Random } from "./random.ts";
import { Script } from "./script.ts";
import type { Bit, Chosen, LabelledCall, Language, Split, Style } from "./types.ts";
import { percent } from "./values-in-text.ts";

const TYPES: PiiType[] = ["PERSON", "ADDRESS"];
const SHARE = 20;

/** Names and addresses, which have no form: by rules alone, and by each model that ESCRIBA_UPSTREAMS names. */
export async function namesAndAddresses(
  { split, calls }: Chosen,
  embedded: boolean,
  say: (line: string) => void,
): Promise<Part> {
  const made = (["es", "en"] as const).flatMap((language) =>
    Array.from({ length: Math.ceil(calls / SHARE) }, (_, index) => makeCall(language, split, index)),
  );
  const figures: Record<string, number> = {};
  const rows: string[][] = [];
  const add = (name: string, found: { call: LabelledCall; entities: readonly Entity[] }[], without: number) => {
    for (const [type, { gold, found: hits, predicted, right }] of tally(found, TYPES).byType) {
      const [recall, precision] = [hits / Math.max(1, gold), right / Math.max(1, predicted)];
      rows.push([
        name,
        type,
        String(gold),
        percent(recall),
        predicted === 0 ? "–" : percent(precision),
        String(without),
      ]);
      const key = `pii_${type.toLowerCase()}_${word(name)}`;
      figures[`${key}_recall`] = recall;
      figures[`${key}_precision`] = precision;
    }
  };
  add(
    "rules",
    made.map((call) => ({ call, entities: recognise(call.call) })),
    0,
  );
  const { models, close } = await openModels(embedded);
  for (const { id, ask } of models) {
    const answered = [];
    for (const call of made) {
      const { pii } = await ask("pii", call.call);
      if (pii) answered.push({ call, entities: pii.entities.map((entity) => ({ ...entity, ...FROM_MODEL })) });
    }
    say(`${id}: ${answered.length} of ${made.length} calls answered`);
    add(id, answered, made.length - answered.length);
    figures[`pii_unanswered_${word(id)}`] = made.length - answered.length;
  }
  await close();
  return {
    rows: [["names and addresses", "type", "values", "recall", "precision", "calls unanswered"], ...rows],
    figures,
    passed: true,
  };
}

const FROM_MODEL = { confidence: 1, source: "model" } as const;

const word = (id: string) => id.toLowerCase().replaceAll(/[^a-z\d]+/gu, "_");

interface Model {
  id: string;
  ask: Ask;
}

/** The models that ESCRIBA_UPSTREAMS names, and the embedded one when it is asked for. */
async function openModels(embedded: boolean): Promise<{ models: Model[]; close(): Promise<void> }> {
  const upstreams = upstreamsSetting().parse(process.env.ESCRIBA_UPSTREAMS);
  const log = createLog("eval", "silent");
  const clients = createUpstreams(upstreams, { log, registry: new Registry() });
  const metrics = createUnderstandingMetrics(new Registry());
  const models = Object.keys(upstreams).flatMap((id): Model[] => {
    const client = id.includes("llm") ? clients.of(id) : undefined;
    const signal = new AbortController().signal;
    const ask: Ask = (group, call) =>
      understandGroup(
        { call, group, rolesUsable: true, modules: ["pii_redaction"], request: {} },
        { client, signal, log, metrics, random: Math.random, now: () => performance.now() },
      );
    return client ? [{ id: `${id} (${client.settings.model})`, ask }] : [];
  });
  const own = embedded ? await embeddedModel() : undefined;
  if (own) models.push({ id: "smollm2-135m-instruct", ask: own.ask });
  return {
    models,
    async close() {
      await clients.close();
      await own?.stop();
    },
  };
}

const WRITTEN: Style = {
  digits: "grouped",
  between: "space",
  letters: "written",
  doubles: 0,
  filler: 0,
  correction: 0,
  turns: 0,
  echo: 0,
  flat: false,
};

/** A call with names, addresses and numbers that are nobody's. */
function makeCall(language: Language, split: Split, index: number): LabelledCall {
  const random = new Random(index * 7_001 + (language === "es" ? 1 : 2) + (split === "held-out" ? 50 : 0));
  const script = new Script(random.chance(0.15));
  const values = {
    PERSON: () =>
      [
        random.pick(FIRST_NAMES[language]),
        random.pick(SURNAMES[language]),
        random.chance(0.4) ? random.pick(SURNAMES[language]) : "",
      ]
        .filter(Boolean)
        .join(" "),
    ADDRESS: () => addressIn(language, random),
  };
  const words = (text = ""): Bit[] =>
    text
      .split(" ")
      .filter(Boolean)
      .map((say) => ({ say }));
  for (const type of random.shuffle(["PERSON", "PERSON", "ADDRESS", "NOTHING", "NOTHING"] as const)) {
    if (type === "NOTHING") {
      const speaker = { language, split, style: { ...WRITTEN }, random };
      for (const line of random.pick(HARMLESS[language][split]))
        script.turn(line.slice(0, 1), fill(line.slice(3), speaker));
      continue;
    }
    const value = values[type]();
    const gold = script.value(type, value);
    for (const line of random.pick(PEOPLE[language][split === "wider" ? "development" : split][type])) {
      const [before, after] = line.slice(3).split("{}");
      const bits =
        after === undefined ? [] : [...value.split(" ").map((say) => ({ say, value: true })), ...words(after)];
      script.turn(line.slice(0, 1), [...words(before), ...bits], gold);
    }
  }
  return { id: `${language}-people-${index}`, call: { language, utterances: script.utterances }, gold: script.gold };
}

function addressIn(language: Language, random: Random): string {
  const number = random.whole(2, 140);
  const street = random.pick(STREETS[language]);
  const town = random.pick(TOWNS[language]);
  return language === "es"
    ? `${street} ${random.chance(0.5) ? "número " : ""}${number}, ${random.pick(["tercero B", "2º izquierda", "bajo"])}, ${town}`
    : `${number} ${street}, ${random.pick(["apartment 4", "flat 2B", "unit 9"])}, ${town}`;
}
