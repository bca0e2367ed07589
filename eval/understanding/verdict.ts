import { eld } from "eld/large";
import { piiResult, understandingResults } from "../../api/schemas/understanding-results.ts";
import { LABELS } from "../../understanding/insight/taxonomy.ts";
import type { Call, GroupResult, Module, Request } from "../../understanding/types.ts";
import { mergeUnderstood } from "../../workflows/activities/understood.ts";

/** What is wrong with a group's result, each fault by a name; none: it may be shown and billed. */
export function faultsOf(call: Call, requested: readonly Module[], request: Request, group: GroupResult): string[] {
  const merged = mergeUnderstood(requested, [group]);
  const { understanding, pii, delivered, warnings } = merged;
  const named = requested.filter((module) => warnings.some((warning) => warning.endsWith(`:${module}`)));
  const shown = [...Object.keys(understanding), ...(pii ? ["pii_redaction"] : [])];
  const faults: string[] = [];
  const must = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  must(
    requested.every((module) => named.includes(module) !== delivered.includes(module)),
    "neither delivered nor named",
  );
  must(same(shown, delivered), "shown and billed differ");
  must(
    named.every((module) => !delivered.includes(module)),
    "named and billed",
  );
  must(understandingResults.safeParse(understanding).success, "schema");
  const text = call.utterances.map((turn) => turn.text).join("\n");
  const said = (words: string) => letters(text).includes(letters(words));
  const results = understanding as GroupResult["results"];

  const topics = results.topic_detection?.topics ?? [];
  if ((request.topic_detection?.taxonomy ?? "contact_center") === "contact_center") {
    must(
      topics.every(({ label }) => (LABELS as readonly string[]).includes(label)),
      "label outside the list",
    );
  }
  must(
    topics.every(({ relevance }) => relevance >= 0 && relevance <= 1),
    "relevance",
  );
  const customer = new Set(
    [...call.utterances.entries()].flatMap(([i, { speakerRole }]) => (speakerRole === "customer" ? [i] : [])),
  );
  must(
    (results.sentiment_analysis?.by_utterance ?? []).every(({ index }) => customer.has(index)),
    "agent turn in sentiment",
  );
  const free = [results.summarization?.text, ...(results.action_items?.items ?? []).map((item) => item.text)].filter(
    (one) => one !== undefined,
  );
  for (const one of free) {
    must(one.trim() !== "" && one.length < 3_000, "empty or huge text");
    must(!/<\/?\w+[^>]*>|https?:\/\//.test(one), "markup");
    if (one.split(" ").length >= 6) must(eld.detect(one).language === call.language, "another language");
  }
  for (const { owner, due } of results.action_items?.items ?? []) {
    must(
      [owner, due].every((detail) => detail === null || said(detail)),
      "owner or due that nobody said",
    );
  }
  must(
    (results.content_moderation?.findings ?? []).every(({ excerpt }) => said(excerpt)),
    "excerpt that nobody said",
  );
  must(
    (results.profanity_filter?.terms ?? []).every((term) => said(term.text)),
    "term that nobody said",
  );
  if (pii) {
    must(piiResult.safeParse(pii).success, "schema");
    must(isRedactionOf(call, pii), "redaction");
  }
  return [...new Set(faults)];
}

type Pii = NonNullable<ReturnType<typeof mergeUnderstood>["pii"]>;

/** Made again from the offsets alone. */
function isRedactionOf(call: Call, { utterances_redacted, text_redacted, entities, policy }: Pii): boolean {
  const turns = call.utterances.map(({ text }, index) => {
    let made = text;
    for (const { type, start, end } of entities
      .filter(({ utterance }) => utterance === index)
      .toSorted((a, b) => b.start - a.start))
      made = made.slice(0, start) + (policy === "mask" ? "*".repeat(end - start) : `[${type}]`) + made.slice(end);
    return made;
  });
  return (
    turns.join(" ") === text_redacted &&
    same(
      turns,
      utterances_redacted.map(({ text }) => text),
    )
  );
}

function letters(text: string): string {
  return ` ${text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
}
