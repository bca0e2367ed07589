import test from "ava";
import { decideLanguage } from "../../speech/language-decision.ts";
import { isLanguage, LANGUAGES, languageToken, UnsupportedLanguage, wordSeparator } from "../../speech/languages.ts";
import { spreadOrder } from "../../speech/whisper/language-scores.ts";
import { Vocabulary } from "../../speech/whisper/vocabulary.ts";
import { model } from "./recordings.ts";

test("the catalogue is Whisper's, in ISO 639-1", (t) => {
  t.is(LANGUAGES.length, 98);
  t.is(new Set(LANGUAGES).size, 98);
  for (const code of LANGUAGES) t.regex(code, /^[a-z]{2}$/);
  for (const code of ["en", "es", "ca", "eu", "gl", "jv"]) t.true(isLanguage(code));
  for (const code of ["jw", "haw", "yue", "EN", "", "xx"]) t.false(isLanguage(code));
  // By the runtime's own names: a code that ISO 639-1 lacks has none.
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  for (const code of LANGUAGES) t.truthy(names.of(code), code);
});

test("every language has a token in the installed model", async (t) => {
  const vocabulary = await Vocabulary.read(await model("whisper-base"));
  for (const code of LANGUAGES) t.is(typeof vocabulary.special(languageToken(code)), "number", code);
  t.is(languageToken("jv"), "<|jw|>");
  t.throws(() => languageToken("jw"), { instanceOf: UnsupportedLanguage });
});

test("some languages are written without spaces", (t) => {
  t.is(wordSeparator("ja"), "");
  t.is(wordSeparator("es"), " ");
});

test("two languages within a tenth are a tie, the better one first", (t) => {
  const scores = (first: number, second: number) => [
    { language: "es", probability: first },
    { language: "ca", probability: second },
  ];
  t.deepEqual(decideLanguage(scores(0.54, 0.46)), {
    language: "es",
    confidence: 0.54,
    warnings: ["lid_tie:es~ca"],
  });
  t.deepEqual(decideLanguage(scores(0.6, 0.4)).warnings, []);
  t.deepEqual(decideLanguage([{ language: "es", probability: 1 }]).warnings, []);
  t.throws(() => decideLanguage([]));
});

test("the windows heard first are spread over the recording, and none is heard twice", (t) => {
  t.deepEqual(spreadOrder([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), [1, 6, 3, 8, 0, 2, 4, 5, 7, 9]);
  t.deepEqual(spreadOrder(["only"]), ["only"]);
  t.deepEqual(spreadOrder([]), []);
});
