import { Random } from "../../../random.ts";
import { SPEECH } from "../calls/topics.ts";
import type { Part } from "./catalogue.ts";

/** The lines of a call in their order, by who says them. The two parts of a topic make a whole call of them. */
const ORDER = [
  "greeting",
  "open",
  "askName",
  "giveName",
  "ask-0",
  "answer-0",
  "ask-1",
  "answer-1",
  "ask-2",
  "answer-2",
  "resolve",
  "doubt-0",
  "settle-0",
  "doubt-1",
  "settle-1",
  "close",
  "bye",
] as const;
export type Slot = (typeof ORDER)[number];

/** What a part says, a line for each of its slots; the voice's own names and numbers are filled in for good. */
export function linesOf(part: Part): { slot: Slot; text: string }[] {
  const { phrases, topics } = SPEECH[part.language];
  const topic = topics.find(({ name, split }) => name === part.topic && split === part.voice.split);
  if (!topic) throw new Error(`no topic ${part.topic} for ${part.voice.name}`);
  const random = new Random(`part ${part.voice.name} ${part.language}`);
  const fill = Object.fromEntries(
    Object.entries(phrases.fill).map(([name, values]) => [
      name,
      // Both sides of a call have to name the same company.
      name === "company" ? new Random(part.topic).pick(values) : random.pick(values),
    ]),
  );
  const parity = part.voice.split === "development" ? 0 : 1;
  const ways: Record<Slot, string[]> = {
    greeting: phrases.greetings.filter((_, i) => i % 2 === parity),
    open: topic.open,
    askName: phrases.askName,
    giveName: phrases.giveName,
    "ask-0": topic.questions[0]?.[0] ?? [],
    "answer-0": topic.questions[0]?.[1] ?? [],
    "ask-1": topic.questions[1]?.[0] ?? [],
    "answer-1": topic.questions[1]?.[1] ?? [],
    "ask-2": topic.questions[2]?.[0] ?? [],
    "answer-2": topic.questions[2]?.[1] ?? [],
    resolve: topic.resolve,
    "doubt-0": topic.doubts[0]?.[0] ?? [],
    "settle-0": topic.doubts[0]?.[1] ?? [],
    "doubt-1": topic.doubts[1]?.[0] ?? [],
    "settle-1": topic.doubts[1]?.[1] ?? [],
    close: phrases.close.filter((way) => !way.includes("{customer}")),
    bye: phrases.bye,
  };
  return slotsOf(part.role).map((slot) => {
    const text = random.pick(ways[slot]).replaceAll(/\{(\w+)\}/g, (_, name) => fill[name] ?? name);
    return { slot, text: (text[0] ?? "").toUpperCase() + text.slice(1) };
  });
}

const AGENT: Slot[] = ["greeting", "askName", "ask-0", "ask-1", "ask-2", "resolve", "settle-0", "settle-1", "close"];
const slotsOf = (role: Part["role"]) => ORDER.filter((slot) => AGENT.includes(slot) === (role === "agent"));

/** The two parts' lines in the order of a call, with how long each waits. */
export function playedTogether(agent: Part, customer: Part, random: Random) {
  const said = [
    ...linesOf(agent).map((line) => ({ ...line, part: agent })),
    ...linesOf(customer).map((line) => ({ ...line, part: customer })),
  ];
  const played = ORDER.flatMap((slot) => said.filter((line) => line.slot === slot));
  return played.map((line, i) => {
    const drawn = random.chance(0.125) ? random.between(-0.35, -0.1) : random.between(0.15, 0.8);
    // Nobody begins before they themselves have ended.
    const goesOn = played[i - 1]?.part === line.part;
    return { ...line, pause: i === 0 ? 0.6 : goesOn ? Math.abs(drawn) + 0.2 : drawn };
  });
}
