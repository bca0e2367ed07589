import { framed } from "./frame.ts";
import { ACTIONS, SENTIMENT, SUMMARY, TOPICS_CLOSED, TOPICS_OPEN } from "./insight.ts";
import { ENTITIES } from "./pii.ts";
import { MODERATION, PROFANITY, PROFANITY_REVIEW } from "./safety.ts";

/**
 * Every wording that a module is asked with, as text. `PROMPT_VERSION` stands for just these words: a test holds the two
 * together, so that no prompt changes under a version that transcripts name already.
 */
export function catalogue(): Record<string, string> {
  const { context, ...formats } = SUMMARY;
  const said = ({ shape, about }: { shape: string; about: string }) => `${shape}\n${about}`;
  const { system, user } = framed({ fields: [], language: "LANGUAGE", text: "TEXT", kind: "call", mark: "MARK" });
  return {
    frame: `${system}\n${user}`,
    topics_closed: said({ ...TOPICS_CLOSED, about: TOPICS_CLOSED.about(["LABELS"]) }),
    topics_open: said(TOPICS_OPEN),
    ...Object.fromEntries(Object.entries(formats).map(([format, text]) => [`summary_${format}`, said(text)])),
    summary_context: context("CONTEXT"),
    actions: said(ACTIONS),
    sentiment: said(SENTIMENT),
    moderation: said(MODERATION),
    profanity: said(PROFANITY),
    profanity_review: said(PROFANITY_REVIEW),
    entities: said({ ...ENTITIES, about: ENTITIES.about(["TYPES"]) }),
  };
}
