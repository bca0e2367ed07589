import test from "ava";
import { isLanguage, LANGUAGES, languageToken, UnsupportedLanguage, wordSeparator } from "../../speech/languages.ts";
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
