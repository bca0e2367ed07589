import * as z from "zod";
import { TOPICS_CLOSED, TOPICS_OPEN } from "../prompts/insight.ts";
import type { Reader, Reading } from "../reader.ts";
import { believable } from "../sentence.ts";
import type { Results } from "../types.ts";
import { hasReason } from "./label-reasons.ts";
import { isLabel, LABELS, TAXONOMY_VERSION } from "./taxonomy.ts";

type Topic = Results["topic_detection"]["topics"][number];

const MOST_TOPICS = 10;
/** Asked for; kept are up to twice as many. */
const ASKED = 5;
const LONGEST_LABEL = 60;

const answer = z.array(
  z.object({ label: z.string(), relevance: z.coerce.number() }).catch({ label: "", relevance: 0 }),
);

export function topicReader(reading: Reading): Reader<Topic[], Results["topic_detection"]> {
  const taxonomy = reading.request.topic_detection?.taxonomy ?? "contact_center";
  const closed = taxonomy === "contact_center";
  // An order to use a label gives no reason for it.
  const valid = (label: string) =>
    closed ? isLabel(label) && hasReason(label, reading.firm) : isFreeLabel(label, reading);
  const doubtful = (label: string) => closed && isLabel(label) && !hasReason(label, reading.certain);
  return {
    field: {
      name: "topic_detection",
      shape: closed ? TOPICS_CLOSED.shape : TOPICS_OPEN.shape,
      about: closed ? TOPICS_CLOSED.about(LABELS) : TOPICS_OPEN.about,
    },
    schema: {
      type: "array",
      maxItems: ASKED,
      items: {
        type: "object",
        properties: {
          label: closed ? { type: "string", enum: LABELS } : { type: "string", maxLength: LONGEST_LABEL },
          relevance: { type: "number", minimum: 0, maximum: 1 },
        },
        required: ["label", "relevance"],
        additionalProperties: false,
      },
    },
    tokens: { fixed: 160, each: 0 },
    read(value, _, first) {
      const parsed = answer.safeParse(value);
      if (!parsed.success) return null;
      const topics = parsed.data.flatMap(({ label, relevance }) => {
        const clean = closed ? label.trim().toLowerCase() : label.trim().replace(/\s+/gu, " ");
        return valid(clean) && relevance >= 0 && relevance <= 1 ? [{ label: clean, relevance }] : [];
      });
      if (first && topics.some(({ label }) => doubtful(label))) return null;
      // A call is about something: an answer of which nothing can be used is none.
      return topics.length === 0 ? null : strongest(topics);
    },
    join(pieces) {
      const topics = strongest(pieces.flat());
      // `iab` gives free labels, and a warning (understand.ts) says so.
      return { topics, taxonomy: closed ? "contact_center" : "open", taxonomy_version: TAXONOMY_VERSION };
    },
  };
}

/** Each label once, with its highest relevance, highest first. */
function strongest(topics: readonly Topic[]): Topic[] {
  const best = new Map<string, Topic>();
  for (const topic of topics) {
    const key = topic.label.toLowerCase();
    if ((best.get(key)?.relevance ?? -1) < topic.relevance)
      best.set(key, { ...topic, relevance: rounded(topic.relevance) });
  }
  return [...best.values()].toSorted((a, b) => b.relevance - a.relevance).slice(0, MOST_TOPICS);
}

function rounded(relevance: number): number {
  return Math.round(relevance * 1_000) / 1_000;
}

/** Free is the choice of words, not what kind of thing it is: a few words, about this call. */
function isFreeLabel(label: string, reading: Reading): boolean {
  return (
    label.length > 1 && label.length <= LONGEST_LABEL && label.split(" ").length <= 6 && believable(label, reading)
  );
}
