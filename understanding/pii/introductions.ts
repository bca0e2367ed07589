import type { Line } from "../transcript.ts";

/**
 * "My name is Peter Johnson": a name that nobody who looked for names can have missed. An answer without a single one of
 * them has not done what was asked, whoever talked it out of it.
 */
const INTRODUCTION =
  /(?<!\p{L})(?:me llamo|mi nombre es|mi nombre completo es|le atiende|le habla|habla con|se llama|my (?:full )?name(?:['’]s| is)|i am called|je m['’]appelle|mon nom est|ich heiße|mein name ist|mi chiamo|o meu nome é|em dic)\s+((?:\p{Lu}[\p{L}'’-]+)(?:\s+(?:(?:de|del|la|van|von|da|dos)\s+)*\p{Lu}[\p{L}'’-]+){0,3})/gu;
const EITHER_CASE =
  /(?<!\p{L})(?:soy|habla|it['’]s|this is|i['’]m|i am)\s+((?:\p{Lu}[\p{L}'’-]+)\s+\p{Lu}[\p{L}'’-]+)/giu;

/** The names by which people introduce themselves in these lines. */
export function introducedIn(lines: readonly Line[]): string[] {
  return lines.flatMap(({ text }) => {
    const sure = [...text.matchAll(new RegExp(INTRODUCTION.source, "giu"))].map((match) => match[1] as string);
    const likely = [...text.matchAll(EITHER_CASE)].map((match) => match[1] as string);
    return [...sure, ...likely].filter((name) => /^\p{Lu}/u.test(name));
  });
}
