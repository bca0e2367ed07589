import test from "ava";
import type { Transcript } from "../../speech/types.ts";
import type { GroupResult } from "../../understanding/types.ts";
import { attributed, attributedRedaction } from "../../workflows/activities/attributed.ts";
import { mergeUnderstood } from "../../workflows/activities/understood.ts";

const METRICS = { seconds: 1.5, promptTokens: 10, completionTokens: 5, promptVersion: "v" };
const group = (changes: Partial<GroupResult>): GroupResult => ({
  results: {},
  delivered: [],
  warnings: [],
  metrics: METRICS,
  ...changes,
});

test("a module named in a warning is neither shown nor billed, whatever its group says; one that is missing is named", (t) => {
  const merged = mergeUnderstood(
    ["summarization", "action_items", "profanity_filter"],
    [
      group({
        results: { summarization: { text: "x" }, action_items: { items: [] }, topic_detection: {} as never },
        delivered: ["summarization", "action_items", "topic_detection"],
        warnings: ["module_failed:summarization", "taxonomy_unavailable:iab"],
      }),
    ],
  );
  t.deepEqual(merged, {
    understanding: { action_items: { items: [] } },
    pii: null,
    delivered: ["action_items"],
    warnings: ["module_failed:summarization", "taxonomy_unavailable:iab", "module_unavailable:profanity_filter"],
    seconds: 1.5,
    promptVersion: "v",
  });
});

test("a redaction is there exactly when it was delivered", (t) => {
  const pii = { text_redacted: "", utterances_redacted: [], entities: [], policy: "mask" as const };
  t.is(mergeUnderstood(["pii_redaction"], [group({ pii })]).pii, null);
  t.deepEqual(mergeUnderstood(["pii_redaction"], [group({ pii, delivered: ["pii_redaction"] })]).pii, pii);
});

test("roles are laid on turns and on redacted turns alike; confidence is 0 exactly when nobody has one", (t) => {
  const turn = { speaker: "0", speakerRole: null, text: "Hola", start: 0, end: 1 };
  const transcript = {
    utterances: [turn, { ...turn, speaker: "1" }, { ...turn, speaker: null }],
    speakerRoleConfidence: 0,
    warnings: ["a"],
  };
  const found = attributed(transcript as unknown as Transcript, {
    roles: { "0": "agent", "1": "customer" },
    confidence: 0.9,
    warnings: ["a", "b"],
  });
  t.deepEqual(
    found.utterances.map(({ speakerRole }) => speakerRole),
    ["agent", "customer", null],
  );
  t.is(found.speakerRoleConfidence, 0.9);
  t.deepEqual(found.warnings, ["a", "b"]);
  const redaction = {
    text_redacted: "",
    utterances_redacted: transcript.utterances,
    entities: [],
    policy: "mask" as const,
  };
  t.deepEqual(
    attributedRedaction(redaction, found).utterances_redacted.map(({ speakerRole }) => speakerRole),
    ["agent", "customer", null],
  );
  const nobody = attributed(transcript as unknown as Transcript, {
    roles: { "0": null },
    confidence: 0.9,
    warnings: [],
  });
  t.is(nobody.speakerRoleConfidence, 0);
});
