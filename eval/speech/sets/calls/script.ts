import type { Random } from "../../../random.ts";
import type { Language } from "./language.ts";
import { type Phrases, SPEECH, type Topic } from "./topics.ts";

/** What is said in a call, before anyone says it. */
export interface Script {
  kind: Kind;
  language: Language;
  lines: Line[];
  /** Who each speaker is; a menu is nobody's. */
  roles: Record<string, "agent" | "customer">;
}

export interface Line {
  speaker: string;
  text: string;
  /** Seconds after the end of the line before; below 0 they overlap. */
  pause: number;
  /** A back-channel starts at this share of the line before and does not hold up the next. */
  over?: number;
}

export const KINDS = [
  "inbound",
  "outbound",
  "transferred",
  "menu-opened",
  "one-sided",
  "swapped",
  "three-way",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Direction {
  kind: Kind;
  language: Language;
  split: Topic["split"];
  topic?: string;
  /** How many questions and doubts are played: `brief` makes half a minute, `full` one, `long` two. */
  length: "brief" | "full" | "long";
  random: Random;
  /** Words in braces that are settled already, such as the name of an agent who speaks in several calls. */
  fill?: Record<string, string>;
}

/** Writes a call. The same direction and seed write the same call; the two splits share no topic and no greeting. */
export function writeScript(direction: Direction): Script {
  const { kind, language, split, random } = direction;
  const { phrases, topics } = SPEECH[language];
  const mine = topics.filter((topic) => topic.split === split && (!direction.topic || topic.name === direction.topic));
  const [topic, second] = random.shuffled(mine);
  if (!topic) throw new Error(`no topic ${direction.topic} for ${split}`);
  const fill = { ...filled(phrases, random), ...direction.fill };
  const play = new Play(phrases, topic, split, random, fill);
  play[SCENES[kind]]();
  if (kind !== "one-sided") {
    play.body(topic, direction.length);
    if (direction.length === "long" && second) play.body(second, "full");
    play.ending(direction.length);
  }
  return { kind, language, lines: play.lines, roles: play.roles };
}

const filled = (phrases: Phrases, random: Random) =>
  Object.fromEntries(Object.entries(phrases.fill).map(([name, values]) => [name, random.pick(values)]));

const SCENES = {
  inbound: "inbound",
  outbound: "outbound",
  transferred: "transferred",
  "menu-opened": "menu",
  "one-sided": "voicemail",
  swapped: "swapped",
  "three-way": "third",
} as const satisfies Record<Kind, keyof Play>;

/** Speakers are named by their order of appearance, as diarization names them. */
class Play {
  readonly lines: Line[] = [];
  readonly roles: Record<string, "agent" | "customer"> = {};
  readonly #phrases: Phrases;
  readonly #topic: Topic;
  readonly #split: Topic["split"];
  readonly #random: Random;
  readonly #fill: Record<string, string>;
  readonly #names = new Map<string, string>();
  #agent = "agent";

  constructor(phrases: Phrases, topic: Topic, split: Topic["split"], random: Random, fill: Record<string, string>) {
    this.#phrases = phrases;
    this.#topic = topic;
    this.#split = split;
    this.#random = random;
    this.#fill = fill;
  }

  inbound() {
    this.#say("agent", this.#greeting());
    this.#say("customer", this.#topic.open);
    this.#identify();
  }

  outbound() {
    this.#say("customer", this.#phrases.pickUp);
    this.#say("agent", this.#phrases.outboundGreetings);
    this.#say("customer", this.#phrases.giveName);
    this.#say("agent", [this.#topic.outbound[0]]);
    this.#say("customer", [this.#topic.outbound[1]]);
  }

  transferred() {
    this.inbound();
    this.#say("agent", this.#phrases.transfer);
    this.#say("customer", this.#phrases.transferAnswer);
    this.#agent = "second agent";
    this.#say("second agent", this.#phrases.secondGreeting, 2.5);
    this.#say("customer", this.#topic.open);
  }

  menu() {
    this.#say("menu", this.#phrases.menu);
    this.#say("agent", this.#greeting(), 2);
    this.#say("customer", this.#topic.open);
    this.#identify();
  }

  voicemail() {
    const message = this.#random.pick(this.#phrases.voicemail);
    const speaker = message.includes("{agent}") ? "agent" : "customer";
    for (const sentence of message.split(/(?<=[.?!]) /)) this.#say(speaker, [sentence]);
  }

  /** The one who is called greets as a company does, and the company's agent is the one who calls. */
  swapped() {
    this.#say("customer", this.#phrases.businessGreetings);
    this.#say("agent", this.#phrases.outboundGreetings);
    this.#say("customer", this.#phrases.giveName);
    this.#say("agent", [this.#topic.outbound[0]]);
    this.#say("customer", [this.#topic.outbound[1]]);
  }

  third() {
    this.inbound();
    const [third, answer] = this.#random.pick(this.#phrases.third);
    this.#say("third", [third]);
    this.#say("agent", [answer]);
  }

  body(topic: Topic, length: Direction["length"]) {
    const kept = length === "brief" ? 2 : 3;
    if (length !== "brief" && this.#random.chance(0.5)) {
      this.#say(this.#agent, this.#phrases.hold);
      this.#say("customer", this.#phrases.holdAnswer);
      this.#say(this.#agent, this.#phrases.back, this.#random.between(1.5, 3));
    }
    for (const [ask, answer] of topic.questions.slice(0, kept)) {
      this.#say(this.#agent, ask);
      this.#say("customer", answer);
    }
    this.#say(this.#agent, topic.resolve);
    if (this.#random.chance(0.6)) this.#backChannel("customer");
    for (const [ask, answer] of topic.doubts.slice(0, kept - 1)) {
      this.#say("customer", ask);
      this.#say(this.#agent, answer);
    }
  }

  ending(length: Direction["length"]) {
    if (length !== "brief") {
      this.#say(this.#agent, this.#phrases.anythingElse);
      this.#say("customer", this.#phrases.nothingElse);
    }
    this.#say(this.#agent, this.#phrases.close);
    this.#say("customer", this.#phrases.bye);
  }

  #identify() {
    this.#say("agent", this.#phrases.askName);
    this.#say("customer", this.#phrases.giveName);
  }

  #greeting(): string[] {
    const parity = this.#split === "development" ? 0 : 1;
    return this.#phrases.greetings.filter((_, i) => i % 2 === parity);
  }

  /** Most turns follow after a third of a second; one in eight begins before the other has ended. */
  #say(who: string, ways: string[], pause?: number) {
    const text = this.#random.pick(ways).replaceAll(/\{(\w+)\}/g, (_, name) => this.#fill[name] ?? name);
    const drawn = this.#random.chance(0.125) ? this.#random.between(-0.35, -0.1) : this.#random.between(0.15, 0.8);
    const same = this.lines.at(-1)?.speaker === this.#names.get(who);
    const first = this.lines.length === 0;
    this.lines.push({
      speaker: this.#name(who),
      text: text[0] === undefined ? text : text[0].toUpperCase() + text.slice(1),
      pause: first ? this.#random.between(0.3, 1.2) : (pause ?? (same ? Math.abs(drawn) + 0.2 : drawn)),
    });
  }

  #backChannel(who: string) {
    const text = this.#random.pick(this.#phrases.backChannels);
    this.lines.push({ speaker: this.#name(who), text, pause: 0, over: this.#random.between(0.35, 0.65) });
  }

  #name(who: string): string {
    const known = this.#names.get(who);
    if (known !== undefined) return known;
    const name = String(this.#names.size);
    this.#names.set(who, name);
    if (who === "customer") this.roles[name] = "customer";
    if (who === "agent" || who === "second agent") this.roles[name] = "agent";
    return name;
  }
}
