import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import test from "ava";
import fc from "fast-check";
import { Vocabulary } from "../../speech/whisper/vocabulary.ts";
import { splitWords } from "../../speech/whisper/words.ts";
import { model } from "./recordings.ts";

let vocabulary: Vocabulary;
let encode: (text: string) => number[];

test.before(async () => {
  const directory = await model("whisper-base");
  vocabulary = await Vocabulary.read(directory);
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(directory, "tokenizer.json"), "utf8")), {});
  encode = (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;
});

const split = (text: string, language: string) =>
  splitWords(encode(text), vocabulary, language).map(({ raw }) => raw.trim());

test("token numbers turn back into the text, whatever its script", (t) => {
  for (const text of [" Hello, world.", "¿Qué tal, señor Muñoz?", "日本語の文", "Здравствуйте", "🙂 ok", "ไทย"]) {
    t.is(vocabulary.text(encode(text)), text);
  }
  const property = fc.property(fc.string({ unit: "grapheme" }), (text) => {
    fc.pre(text.normalize("NFC") === text && !text.includes("<|"));
    return vocabulary.text(encode(text)) === text;
  });
  t.notThrows(() => fc.assert(property, { seed: 1, numRuns: 300 }));
});

test("special tokens have no text", (t) => {
  const end = vocabulary.special("<|endoftext|>") as number;
  t.is(vocabulary.text([end]), "");
  t.is(vocabulary.special("<|nothing|>"), undefined);
});

test("words end where a space starts, with their marks", (t) => {
  t.deepEqual(split(" Well, I don't know.", "en"), ["Well,", "I", "don't", "know."]);
  t.deepEqual(split(" ¿Qué tal? ¡Muy bien!", "es"), ["¿Qué", "tal?", "¡Muy", "bien!"]);
  t.deepEqual(split(' He said "no thanks" (twice) - really.', "en"), [
    "He",
    "said",
    '"no',
    'thanks"',
    "(twice)",
    "- really.",
  ]);
  t.deepEqual(split(" 3.5 % of the dogs' food", "en"), ["3.5 %", "of", "the", "dogs'", "food"]);
});

test("languages without spaces are cut between characters, never inside one", (t) => {
  const words = split("今日は、いい天気ですね。", "ja");
  t.is(words.join(""), "今日は、いい天気ですね。");
  t.true(words.length > 3);
  for (const word of words) t.regex(word, /[\p{L}]/u);
  for (const word of split("สวัสดีครับ", "th")) t.notRegex(word, /\uFFFD/u);
});

test("words cover the tokens in order", (t) => {
  const tokens = encode(" One two, three. «Cuatro» cinco");
  const words = splitWords(tokens, vocabulary, "es");
  t.is(words[0]?.from, 0);
  t.is(words.at(-1)?.to, tokens.length);
  for (const [index, word] of words.entries()) t.is(word.from, words[index - 1]?.to ?? 0);
});
