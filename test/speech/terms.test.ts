import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import test from "ava";
import fc from "fast-check";
import { soundDistance } from "../../speech/terms/distance.ts";
import { findNearMisses, findSpelled } from "../../speech/terms/near-misses.ts";
import { phonesOf, spelledOut } from "../../speech/terms/phones.ts";
import { recase, respell } from "../../speech/terms/respell.ts";
import { soundAlikes } from "../../speech/terms/sound-alikes.ts";
import { TermTrie } from "../../speech/terms/term-trie.ts";
import { compileTerms, type Term } from "../../speech/terms/terms.ts";
import { Vocabulary } from "../../speech/whisper/vocabulary.ts";
import { model } from "./recordings.ts";

const term = (text: string) => compileTerms([text])[0] as Term;

test("words that sound the same read the same, in Spanish and in English", (t) => {
  for (const [a, b] of [
    ["Iberdrola", "y verdrola"],
    ["Zaragoza", "sara gosa"],
    ["Goikoetxea", "goico echea"],
    ["quiero", "kiero"],
    ["jirafa", "girafa"],
    ["Muñoz", "MUÑOS"],
  ] as const) {
    t.true(soundDistance(phonesOf(a, "es"), phonesOf(b, "es")) <= 0.1, `${a} ${b}`);
  }
  for (const [a, b] of [
    ["Featherstone", "feather stone"],
    ["Knight", "nite"],
    ["Phillips", "Fillips"],
    ["Queensbury", "kweens bury"],
  ] as const) {
    t.true(soundDistance(phonesOf(a, "en"), phonesOf(b, "en")) <= 0.25, `${a} ${b}`);
  }
});

test("an abbreviation is also its letters' names", (t) => {
  t.is(spelledOut("BBVA", "es"), phonesOf("bebeuvea", "es"));
  t.is(spelledOut("5G", "es"), "");
  t.true(term("BBVA").sounds.includes(spelledOut("BBVA", "es")));
});

test("distance is 0 for the same, symmetric, at most 1, and infinite past the limit", (t) => {
  const sounds = fc.stringMatching(/^[abdefgiklmnoprstuSCTNJZX]{0,12}$/);
  const property = fc.property(sounds, sounds, (a, b) => {
    const distance = soundDistance(a, b);
    const limited = soundDistance(a, b, 0.4);
    return (
      soundDistance(a, a) === 0 &&
      Math.abs(distance - soundDistance(b, a)) < 1e-9 &&
      distance >= 0 &&
      distance <= 1 &&
      (distance > 0.4 + 1e-9 ? limited === Number.POSITIVE_INFINITY : Math.abs(limited - distance) < 1e-9)
    );
  });
  t.notThrows(() => fc.assert(property, { seed: 5, numRuns: 500 }));
  t.true(soundDistance("fibra", "libra") < soundDistance("fibra", "nunka"));
});

test("terms are compiled once each, blank ones are dropped", (t) => {
  t.deepEqual(
    compileTerms(["Iberdrola", " iberdrola ", "", "¿?", "fibra  óptica"]).map(({ text }) => text),
    ["Iberdrola", "fibra óptica"],
  );
});

test("a thousand terms of eighty characters of any kind are compiled and looked for", (t) => {
  const property = fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 80 }), { maxLength: 40 }), (list) => {
    const terms = compileTerms(list);
    new TermTrie(terms);
    return findNearMisses(["hello", "world"], [0, 0], terms, { language: "en", affordable: 9 }).length <= 24;
  });
  t.notThrows(() => fc.assert(property, { seed: 3, numRuns: 100 }));
  const many = compileTerms(Array.from({ length: 1_000 }, (_, i) => `${"palabra".repeat(10)} ${i}`));
  t.is(many.length, 1_000);
  const words = Array.from({ length: 100 }, () => " palabra");
  const found = findNearMisses(
    words,
    words.map(() => 0),
    many,
    { language: "es", affordable: 9 },
  );
  t.true(found.length <= 24);
});

test("near misses are found across word borders, ordered by place, only where the text is in doubt", (t) => {
  const words = [" Llamo", " de", " iver", " drola,", " por", " la", " libra", " óptica."];
  const terms = compileTerms(["Iberdrola", "fibra óptica"]);
  const certain = [9, 9, 1, 1, 9, 9, 1, 9];
  const best = (list: readonly number[]) =>
    findNearMisses(words, list, terms, { language: "es", affordable: 5 })
      .filter(({ distance }) => distance < 0.095)
      .map(({ from, to, term: { text } }) => [from, to, text]);
  t.deepEqual(best(certain), [
    [2, 4, "Iberdrola"],
    [6, 8, "fibra óptica"],
  ]);
  t.deepEqual(best(words.map(() => 6)), []);
});

test("words that sound like a long term, and that the decoder doubted, are taken for it", (t) => {
  const terms = compileTerms(["Fuentealba", "Calivento", "Zentravia", "Zopa"]);
  const alike = (text: string, certain: readonly number[], doubt = 1) => {
    const words = text.split(/(?= )/).map((raw, i) => ({ raw, certainty: certain[i] as number, doubt }));
    const near = findNearMisses(
      words.map(({ raw }) => raw),
      certain,
      terms,
      { language: "es", affordable: 9 },
    );
    return soundAlikes(near, words).map(({ from, to, term: { text } }) => [from, to, text]);
  };
  t.deepEqual(alike(" compañero fuente a la hija, el calimento", [1, -2, -1, 0, -2, 3, -0.4]), [
    [1, 4, "Fuentealba"],
    [6, 7, "Calivento"],
  ]);
  t.deepEqual(alike(" compañero fuente a la hija, el calimento", [1, 2, 1, 1, 2, 3, 0.4]), []);
  t.deepEqual(alike(" fuente. A la", [-2, -1, -2]), []); // two sentences
  t.deepEqual(alike(" un entramia", [0, -0.8], 3.1), [[1, 2, "Zentravia"]]); // less alike, and less sure
  t.deepEqual(alike(" un entramia", [0, -0.8], 1), []);
  t.deepEqual(alike(" línea de la central", [-1, -1, -1, -1], 4), []); // alike, not enough
  t.deepEqual(alike(" sopa", [-3], 4), []); // the same sounds, but few
});

test("what is spelt as a term is nobody's near miss", (t) => {
  const terms = compileTerms(["Iberdrola", "Iberdrol"]);
  const words = [" IBERDROLA,", " hola"];
  t.deepEqual(
    findSpelled(words, terms).map(({ from, to, term: { text } }) => [from, to, text]),
    [[0, 1, "Iberdrola"]],
  );
  t.deepEqual(findNearMisses(words, [0, 0], terms, { language: "es", affordable: 9 }), []);
});

test("a term takes over the marks around the words it replaces", (t) => {
  t.deepEqual(respell([" ¿Y", " verdrola?"], term("Iberdrola")), [" ¿Iberdrola?"]);
  t.deepEqual(respell([" feather", " stone's,"], term("Featherstone")), [" Featherstone's,"]);
  t.deepEqual(respell([" libra."], term("fibra óptica")), [" fibra", " óptica."]);
  t.deepEqual(respell([" yahoo!"], term("Yahoo!")), [" Yahoo!"]);
  t.deepEqual(respell([" sainsburys."], term("Sainsbury's")), [" Sainsbury's."]);
});

test("capitals are the caller's, a sentence still begins with one", (t) => {
  t.deepEqual(recase([" iphone,"], term("iPhone")), [" iPhone,"]);
  t.deepEqual(recase([" Fibra", " Óptica."], term("fibra óptica")), [" Fibra", " Óptica."]);
});

test("every way of cutting a term into tokens leads to its end, in any case", async (t) => {
  const directory = await model("whisper-base");
  const vocabulary = await Vocabulary.read(directory);
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(directory, "tokenizer.json"), "utf8")), {});
  for (const text of ["Iberdrola", "fibra óptica", "ÑANDÚ", "東京"]) {
    const trie = new TermTrie([term(text)]);
    for (const written of [text, text.toUpperCase(), text.toLowerCase()]) {
      let place: ReturnType<TermTrie["walk"]> = trie.root;
      for (const token of tokenizer.encode(written, { add_special_tokens: false }).ids) {
        place = place && trie.walk(place, vocabulary.bytes(token));
      }
      t.is(place?.node.term?.text, text, written);
    }
    t.is(trie.walk(trie.root, Buffer.from("otra cosa")), null);
  }
});
