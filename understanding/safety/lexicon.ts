import { type Word, wordsOf } from "../words.ts";

/**
 * Swear words of Spanish and English that are swear words wherever they stand, with their inflections, as patterns of
 * whole folded words (words.ts: no accents, no case). Whole words, so Scunthorpe, Essex and "disputa" are safe. What is
 * also an innocent word is left to the model, which knows the context: "zorra", "polla", "pinche", "cock", "dick", "ass".
 */
const SPANISH = [
  "(?:re)?put[ao]s?|put(?:ero|ada|ita|ito|on|ona)s?|hijoputas?|hijaputas?",
  "mierdas?|mierder[ao]s?|comemierdas?",
  "jod(?:er|e|es|en|a|as|an|ed|ete|ase|anse|eros|erme|erte|erse|ernos|emos|iendo|iendome|ido|ida|idos|idas|io|imos|ieron|ia|ian|erlo|erla|iste)",
  "cabron(?:a|es|as|azo|azos|cete|cetes)?|cabronad[ao]s?",
  "gilipollas?|gilipollez|gilipolleces|gilip[ou]ertas",
  "conazos?", // "coño" itself folds to "cono", a cone: found by its letters below
  "cojon(?:es|udo|uda|udos|udas|azo|azos)?|acojon(?:a|ante|antes|ado|ada|ados|adas|ar)|descojon(?:o|a|ante|arse)",
  "hostias?",
  "capull[ao]s?",
  "maric(?:on|ones|onazo)|mariconad[ao]s?",
  "pendej[ao]s?|pendejad[ao]s?",
  "ching(?:ar|a|as|ada|adas|ado|ados|aderas?|aos|ate|uen|on|ona|ones|onas)",
  "culer[ao]s?",
  "huevon(?:a|es|as)?|guevon(?:a|es)?",
  "bolud[ao]s?|boludeces|pelotud[ao]s?",
  "carajos?",
  "malpari(?:do|da|dos|das)|gonorreas?",
  "hueputas?|jueputas?|hijueputas?",
  "soplapollas|tocapelotas|tocahuevos|lameculos|chupapollas|mamapollas|tontolaba|mamahuevos?",
  "cag(?:ar|arla|ada|adas|arse|aste|on|ones)|cagonen?",
  "follar(?:te|se|me|la|lo)?|follad[ao]s?",
  "subnormal(?:es)?",
  "bastard[ao]s?",
] as const;

const ENGLISH = [
  "(?:mother|clusters?|bum|butt)?fuck(?:s|ed|er|ers|ing|in|ings|wit|wits|up|ups|face|head|heads|ery|able)?|fuckin|fck(?:ing|ed)?|effing",
  "(?:bull|horse|dip|bat|dog|ape|chicken)?shit(?:s|ty|tier|tiest|ting|ted|head|heads|hole|holes|show|shows|storm|storms|bag|bags|less)?|shite",
  "bitch(?:es|ed|ing|y)?",
  "(?:ass|arse)(?:hole|holes|wipe|wipes|hat|hats)|arses?|(?:dumb|jack|smart|bad|lard|fat|kick)ass(?:es|ed)?",
  "cunts?|twats?",
  "bastards?",
  "wank(?:er|ers|ing|ed)",
  "bollocks?|bollocking",
  "dick(?:head|heads|wad|wads)",
  "cock(?:sucker|suckers|sucking)",
  "pricks",
  "piss(?:ed|ing|er|head|heads)?",
  "whores?|sluts?|slutty",
  "goddamn(?:ed|it)?|goddam",
  "nigg(?:er|ers|a|as|az)|fagg?ots?|spastics?",
  "tossers?|knob(?:head|heads)|bellends?|douche(?:bag|bags)?|scumbags?",
] as const;

/** Several words that swear together; each word of them may be innocent. */
const PHRASES = [
  ["hijos?|hijas?", "de", "(?:puta|perra)"],
  ["hijos?|hijas?", "de", "(?:la|una)", "(?:puta|perra)"],
  ["hijos?|hijas?", "de", "la", "gran", "puta"],
  ["hijos?|hijas?", "de", "la", "chingada"],
  ["me", "cago", "en"],
  ["me", "cago", "en", "(?:dios|todo|tus|la|tu|los)"],
  ["vete", "a", "la", "mierda"],
  ["que", "te", "(?:den|follen|jodan)"],
  ["que", "os", "(?:den|follen|jodan)"],
  ["a", "tomar", "por", "culo"],
  ["vete", "a", "tomar", "por", "culo"],
  ["por", "el", "culo"],
  ["la", "concha", "de", "(?:tu|su)", "madre"],
  ["puta", "madre"],
  ["de", "puta", "madre"],
  ["tu", "puta", "madre"],
  ["sons", "of", "bitches"],
  ["sons?", "of", "a", "bitch"],
  ["piss", "off"],
  ["kiss", "my", "(?:ass|arse)"],
  ["pain", "in", "the", "(?:ass|arse)"],
  ["god", "damn(?:ed|it)?"],
  ["bloody", "hell"],
  ["go", "to", "hell"],
  ["screw", "you"],
  ["up", "yours"],
] as const;

const WORDS = new RegExp(`^(?:${[...SPANISH, ...ENGLISH].join("|")})$`, "u");
const IN_ORDER = PHRASES.map((words) => words.map((word) => new RegExp(`^(?:${word})$`, "u")));
/** With its tilde it is no cone. */
const CONO = /^co[ñÑ]os?$/iu;

/** Swear words here and innocent words there: whether they are, is asked about the word (profanity.ts). */
const UNSURE =
  /^(?:bloody|damn(?:ed|it)?|crap|crappy|bugger(?:ed)?|sod|git|prick|dick|ass|arse|twit|moron|idiots?|zorras?|pollas?|pinches?|perras?|cerd[oa]s?|idiotas?|imbecil(?:es)?|estupid[oa]s?|cretin[oa]s?|payas[oa]s?)$/u;

/** Words of a text that may be swear words, as they stand in it. */
export function perhapsProfane(text: string): string[] {
  return wordsOf(text)
    .filter(({ folded }) => UNSURE.test(folded))
    .map(({ start, end }) => text.slice(start, end));
}

/** The swear words of a text as they stand in it, in order; of two that overlap the longer. */
export function profanitiesIn(text: string): string[] {
  const words = wordsOf(text.normalize("NFC"));
  const composed = text.normalize("NFC");
  const found: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = Math.max(
      ...IN_ORDER.map((phrase) => (follows(words, at, phrase) ? phrase.length : 0)),
      swears(composed, words[at]) ? 1 : 0,
    );
    const [first, last] = [words[at], words[at + length - 1]];
    if (length > 0 && first && last) found.push(composed.slice(first.start, last.end));
    at += Math.max(1, length);
  }
  return found;
}

function swears(text: string, word: Word | undefined): boolean {
  return word !== undefined && (WORDS.test(word.folded) || CONO.test(text.slice(word.start, word.end)));
}

function follows(words: readonly Word[], at: number, phrase: readonly RegExp[]): boolean {
  return phrase.every((form, i) => form.test(words[at + i]?.folded ?? ""));
}
