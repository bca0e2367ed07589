import { startModel } from "../../../test/understanding/model.ts";
import { breaks, fails, type Script, says } from "../../../test/upstream/double.ts";
import { GROUPS, type Group, type Request } from "../../../understanding/types.ts";
import { Random } from "../../random.ts";
import { CALLS } from "../calls.ts";
import type { Part } from "../part.ts";
import { faultsOf } from "../verdict.ts";
import { HOSTILE, type HostileAnswer } from "./answers.ts";

/** Answers are made from this. */
const SEED = 20_261_121;
const REQUESTS: readonly Request[] = [
  {},
  { topic_detection: { taxonomy: "open" }, summarization: { format: "paragraph" }, pii_redaction: { policy: "mask" } },
  { topic_detection: { taxonomy: "iab" }, summarization: { format: "headline", context: "Calls." } },
];

/** So many transcripts' groups, each asked of a server that answers nothing but hostile answers of one kind. */
export async function hostile(answers: number, say: (line: string) => void): Promise<Part> {
  const random = new Random(SEED);
  const kinds = Object.entries(HOSTILE);
  const tally = new Map(kinds.map(([kind]) => [kind, { answers: 0, valid: 0, delivered: 0, named: 0 }]));
  const faults = new Map<string, number>();
  let given = 0;
  let asked = 0;
  while (given < answers) {
    const [kind, make] = kinds[asked % kinds.length] as (typeof kinds)[number];
    const { call, good } = random.pick(CALLS);
    const group = random.pick(Object.keys(GROUPS)) as Group;
    const request = random.pick(REQUESTS);
    const model = await startModel(
      () => asScript(make(good, random)),
      {},
      { timing: { firstWaitMs: 1, silenceMs: 400, tries: 2 } },
    );
    const result = await model.understand(group, call, { request });
    await model.stop();
    const found = faultsOf(call, GROUPS[group], request, result);
    for (const fault of found) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    if (found.length > 0) say(`${kind}, ${group}: ${found.join(", ")}`);
    const row = tally.get(kind) as NonNullable<ReturnType<typeof tally.get>>;
    row.answers += model.asked.length;
    row.valid += found.length === 0 ? model.asked.length : 0;
    row.delivered += result.delivered.length;
    row.named += GROUPS[group].length - result.delivered.length;
    given += model.asked.length;
    asked += 1;
    if (asked % 100 === 0) say(`${given} of ${answers} hostile answers`);
  }
  const valid = [...tally.values()].reduce((sum, row) => sum + row.valid, 0);
  const rows = [...tally].map(([kind, row]) => [kind, ...Object.values(row).map(String)]);
  return {
    figures: {
      hostile_answers: given,
      hostile_valid: valid / given,
      agent_sentiment_leaks: faults.get("agent turn in sentiment") ?? 0,
      labels_outside_list: faults.get("label outside the list") ?? 0,
      hostile_named_and_billed: faults.get("named and billed") ?? 0,
    },
    rows: [["hostile answers", "answers", "valid", "modules delivered", "named in warnings"], ...rows],
    passed: valid === given,
  };
}

function asScript(answer: HostileAnswer): Script {
  if (!("fault" in answer)) return says(answer.text, { finish: answer.finish ?? "stop" });
  switch (answer.fault) {
    case "status":
      return fails(500);
    case "break":
      return breaks;
    case "begin":
      return (seen) => {
        says('{"topic_detection": [')(seen);
      };
    case "html":
      return ({ response }) => {
        response.writeHead(200, { "Content-Type": "text/html" });
        response.end("<html>Bad gateway</html>");
      };
  }
}
