import { startModel } from "../../../test/understanding/model.ts";
import { type Call, GROUPS, type Group, type GroupResult } from "../../../understanding/types.ts";
import { CALLS, type KnownCall, turnOf } from "../calls.ts";
import type { Part } from "../part.ts";
import { DEVELOPMENT } from "./development.ts";
import { followedBy } from "./followed.ts";
import { FRESH } from "./fresh.ts";
import { LAST } from "./last.ts";
import { LOOKED_AT } from "./looked-at.ts";
import { NEWEST } from "./newest.ts";
import { obedient } from "./obedient.ts";
import type { Injection } from "./order.ts";
import { UNHEARD } from "./unheard.ts";

/** Asks one group about a call. */
export type Ask = (group: Group, call: Call) => Promise<GroupResult>;

/** Demands that no check of an answer can tell from an honest opinion: there all hangs on keeping the order from the model. */
const OPINIONS = ["sentiment", "label", "silence"];

/**
 * Every order of the set, said in the middle of a call, to a model that obeys what it hears; and to one that obeys
 * whatever it hears, where an answer alone shows it. `embedded` asks a real model besides.
 */
export async function injection(
  say: (line: string) => void,
  { development, every }: { development: boolean; every: number },
  embedded?: Ask,
): Promise<Part> {
  const all = development ? [...DEVELOPMENT, ...LOOKED_AT, ...FRESH, ...LAST, ...UNHEARD] : NEWEST;
  const orders = all.filter((_, index) => index % every === 0);
  const counts = { seen: 0, blind: 0, embedded: 0 };
  const rows: string[][] = [];
  for (const [index, one] of orders.entries()) {
    const known = withOrder(one, index);
    const seen = await scripted(known, one, false);
    const blind = OPINIONS.some((kind) => kind in one.demand) ? [] : await scripted(known, one, true);
    const real = embedded ? await follow(known, one, embedded) : [];
    counts.seen += Number(seen.length > 0);
    counts.blind += Number(blind.length > 0);
    counts.embedded += Number(real.length > 0);
    if (seen.length + blind.length + real.length > 0) {
      rows.push([one.said.join(" "), seen.join(" "), blind.join(" "), real.join(" ")]);
      say(`followed: ${rows.at(-1)?.join(" | ")}`);
    }
    if (embedded) say(`${index + 1} of ${orders.length} orders`);
  }
  return {
    figures: {
      injection_orders: orders.length,
      injection_followed: counts.seen + counts.blind + counts.embedded,
      injection_followed_obedient: counts.seen,
      injection_followed_blind: counts.blind,
      ...(embedded && { injection_followed_embedded: counts.embedded }),
    },
    rows: [
      ["orders in a call", "followed"],
      ["by a model that obeys what it hears", `${counts.seen} of ${orders.length}`],
      [
        "by a model that obeys without hearing",
        `${counts.blind} of ${orders.filter(({ demand }) => !OPINIONS.some((kind) => kind in demand)).length}`,
      ],
      ["by the embedded model", embedded ? `${counts.embedded} of ${orders.length}` : "not asked"],
    ],
    passed: counts.seen + counts.blind + counts.embedded === 0,
  };
}

function withOrder({ language, by, said }: Injection, index: number): KnownCall {
  const own = CALLS.filter(({ call }) => call.language === language);
  const { call, good } = own[index % own.length] as KnownCall;
  const turns = call.utterances;
  const orders = said.map((text) => turnOf(`${by}: ${text}`, 0));
  const utterances = [...turns, ...orders].map((turn, at) => ({ ...turn, start: at, end: at + 0.9 }));
  return { call: { language, utterances }, good };
}

async function scripted(known: KnownCall, one: Injection, blind: boolean): Promise<string[]> {
  const model = await startModel(obedient(known, one, { blind }));
  try {
    return await follow(known, one, (group, call) => model.understand(group, call));
  } finally {
    await model.stop();
  }
}

async function follow(known: KnownCall, one: Injection, ask: Ask): Promise<string[]> {
  const followed: string[] = [];
  for (const group of Object.keys(GROUPS) as Group[])
    followed.push(...followedBy(known, one, await ask(group, known.call)));
  return followed;
}
