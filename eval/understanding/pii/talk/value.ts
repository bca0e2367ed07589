import type { Bit } from "../types.ts";
import { sayBreath } from "./digits.ts";
import { sayLetters } from "./letters.ts";
import { type Manner, otherManner } from "./manner.ts";

/** A breath: digits, or letters. */
interface Breath {
  text: string;
}

/** Digits and letters of a value as a person says them, with what comes in between. */
export function sayValue(groups: readonly string[], manner: Manner): Bit[] {
  const { random } = manner;
  const raw = groups.join("");
  if (manner.form === "numerals" && random.chance(0.3)) return bitsOf(written(groups, manner));
  const breaths = breathsOf(raw, groups, manner);
  const slipped = random.chance(manner.slip) ? random.below(breaths.length) : -1;
  return glued(
    breaths.flatMap(({ text }, index) => [
      ...(index === slipped && /^\d{2,}$/u.test(text) ? slip(text, manner) : []),
      ...bitsOf(say(text, manner)),
      ...(index < breaths.length - 1 ? between(text, manner) : []),
    ]),
  );
}

/** Writes what stands on both sides as one word. */
interface Glue {
  glue: string;
}

function glued(bits: readonly (Bit | Glue)[]): Bit[] {
  const all: Bit[] = [];
  let glue: string | undefined;
  for (const bit of bits) {
    const last = all.at(-1);
    if ("glue" in bit) glue = bit.glue;
    else if (glue !== undefined && last && "say" in last && "say" in bit && /^[\d\p{Lu}]/u.test(bit.say)) {
      all[all.length - 1] = { say: `${last.say}${glue}${bit.say}`, value: true };
      glue = undefined;
    } else {
      all.push(bit);
      glue = undefined;
    }
  }
  return all;
}

/** A template's words, with bits in each of its places. */
export function filled(template: string, make: () => Bit[]): Bit[] {
  return template.split("{}").flatMap((part, at) => [...(at > 0 ? make() : []), ...plain(part)]);
}

/** Each word of a text, a value's but for lone signs. */
export function bitsOf(text: string): Bit[] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((word) => ({ say: word, value: /[\p{L}\p{N}@]/u.test(word) }));
}

export const plain = (text: string): Bit[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((word) => ({ say: word }));

/** Words that are taken back. */
export const slipsOf = (text: string): Bit[] => plain(text).map((bit) => ({ ...bit, slip: true }));

const say = (text: string, manner: Manner) => (/^\d/u.test(text) ? sayBreath(text, manner) : sayLetters(text, manner));

/** As recognition writes it whole. */
function written(groups: readonly string[], { random }: Manner): string {
  const separator = random.pick(["", "", " ", " ", "-", "."]);
  return groups.join(separator).replace(/(?<=\p{L})[-.](?=\p{L})/u, "");
}

function breathsOf(raw: string, groups: readonly string[], manner: Manner): Breath[] {
  const { random, sizes } = manner;
  const head = raw.startsWith("+") ? [{ text: raw.slice(1, raw.length - groups.slice(1).join("").length) }] : [];
  const rest = raw.slice(head[0] ? head[0].text.length + 1 : 0);
  // Half keep to the groups that such a value is printed in.
  const parts =
    random.chance(0.4) && groups.every((group) => group.length <= 4 || /^\+/u.test(group))
      ? groups.slice(head.length).flatMap((group) => group.match(/\d+|\D+/gu) ?? [])
      : (rest.match(/\d+|\D+/gu) ?? []).flatMap((part) => {
          if (/^\D/u.test(part)) return [part];
          const cut: string[] = [];
          for (let at = 0; at < part.length; ) {
            const size = random.pick(sizes);
            cut.push(part.slice(at, at + size));
            at += size;
          }
          return cut;
        });
  return [...head, ...parts.map((text) => ({ text }))];
}

/** A wrong breath and what takes it back; the right one follows. */
function slip(text: string, manner: Manner): Bit[] {
  const phrase = manner.random.pick(manner.phrases("slip"));
  return [...slipsOf(say(wrongOf(text, manner), manner)), ...plain(`, ${phrase}`), { say: "," }];
}

function wrongOf(text: string, { random }: Manner): string {
  const at = random.below(text.length);
  const other = (Number(text[at]) + random.whole(1, 9)) % 10;
  return text.slice(0, at) + other + text.slice(at + 1);
}

function between(text: string, manner: Manner): (Bit | Glue)[] {
  const { random, phrases } = manner;
  if (random.chance(manner.turns)) {
    if (/^\d{2,}$/u.test(text) && random.chance(0.08)) return putRight(text, manner);
    return [{ other: answered(text, manner) }];
  }
  const joint = random.pick(manner.joint);
  if (joint === "-" || joint === "" || joint === ".") return [{ glue: joint }];
  const filler = random.chance(manner.filler) ? plain(random.pick(phrases("filler"))) : [];
  const link = random.chance(manner.link) ? plain(random.pick(phrases("link"))) : [];
  return [...plain(joint.trim()), ...filler, ...link];
}

/** What who listens says in between: go on, or what was heard. */
function answered(text: string, manner: Manner): Bit[] {
  if (manner.random.chance(0.6)) return plain(manner.random.pick(manner.phrases("nod")));
  const other = otherManner(manner);
  return [...bitsOf(say(text, other)), ...(manner.random.chance(0.3) ? [{ say: "?" }] : [])];
}

/** The other side hears it wrong and is put right. */
function putRight(text: string, manner: Manner): Bit[] {
  const { random, phrases } = manner;
  const wrong = slipsOf(say(wrongOf(text, manner), otherManner(manner)));
  const right = filled(random.pick(phrases("wrong echo")), () => bitsOf(say(text, manner)));
  return [{ other: wrong }, ...right, { other: plain(random.pick(phrases("nod"))) }];
}
