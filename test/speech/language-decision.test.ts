import test from "ava";
import { decideLanguage, settleLanguage, undecidedLanguage } from "../../speech/language/decision.ts";
import type { Evidence } from "../../speech/language/evidence.ts";
import { beliefIn, sharesOf } from "../../speech/language/shares.ts";
import { smooth } from "../../speech/language/smooth.ts";
import type { WindowLanguage, WindowResult } from "../../speech/types.ts";
import { isSettled, spreadOrder } from "../../speech/whisper/language-scores.ts";

/** A stretch and how likely each language is by itself; what is missing to 1 falls to German. */
function heard(seconds: number, probabilities: Record<string, number>): Evidence {
  const rest = 1 - Object.values(probabilities).reduce((sum, value) => sum + value, 0);
  const all = { es: 1e-4, en: 1e-4, ca: 1e-4, de: Math.max(rest, 1e-4), ...probabilities };
  return {
    seconds,
    logprobs: Object.fromEntries(Object.entries(all).map(([language, value]) => [language, Math.log(value)])),
  };
}

const LANGUAGES = ["es", "en", "ca", "de"];
const rounded = (value: number) => Math.round(value * 100) / 100;

test("two languages within a tenth are a tie, the better one first", (t) => {
  const tie = decideLanguage([heard(20, { es: 0.54, ca: 0.46 })], LANGUAGES);
  t.is(tie.language, "es");
  t.is(rounded(tie.confidence), 0.54);
  t.deepEqual(tie.warnings, ["lid_tie:es~ca"]);
  t.deepEqual(decideLanguage([heard(20, { es: 0.6, ca: 0.4 })], LANGUAGES).warnings, []);
  t.throws(() => decideLanguage([], LANGUAGES), { message: "no language was scored" });
});

test("windows that agree make each other surer; the recording has one language", (t) => {
  const { language, confidence, detection } = decideLanguage(
    [heard(20, { es: 0.6, ca: 0.4 }), heard(20, { es: 0.7, ca: 0.3 }), heard(20, { es: 0.8, ca: 0.2 })],
    LANGUAGES,
  );
  t.is(language, "es");
  t.true(confidence > 0.9);
  t.deepEqual(detection?.languages, LANGUAGES);
  t.true((detection?.shares.es ?? 0) > 0.9);
});

test("two languages have their shares by the length of their speech, and tie when these are near", (t) => {
  const third = [heard(20, { es: 0.99 }), heard(20, { es: 0.98 }), heard(20, { en: 0.99 })];
  const decided = decideLanguage(third, LANGUAGES);
  t.is(decided.language, "es");
  t.true(Math.abs(decided.confidence - 0.67) < 0.02);
  t.deepEqual(decided.warnings, []);
  t.deepEqual(decideLanguage([...third, heard(22, { en: 0.99 })], LANGUAGES).warnings, ["lid_tie:en~es"]);
});

test("shares sum to 1, whatever the order of the windows", (t) => {
  const windows = [heard(20, { es: 0.9, ca: 0.1 }), heard(5, { en: 0.8, es: 0.1 }), heard(1, { ca: 0.5, es: 0.3 })];
  const sum = Object.values(sharesOf(windows)).reduce((total, share) => total + share, 0);
  t.true(Math.abs(sum - 1) < 1e-3);
  for (const [language, share] of Object.entries(sharesOf(windows.toReversed()))) {
    t.true(Math.abs(share - (sharesOf(windows)[language] ?? 0)) < 1e-9);
  }
  t.deepEqual(sharesOf([]), {});
});

test("a short stretch follows the recording; a long one that is sure stands by itself", (t) => {
  const spanish = { es: 1 };
  t.true((beliefIn(heard(1, { ca: 0.6, es: 0.3 }), spanish).es ?? 0) > 0.9);
  t.true((beliefIn(heard(8, { en: 0.99, es: 0.001 }), spanish).en ?? 0) > 0.9);
  t.true((beliefIn(heard(8, { en: 0.6, es: 0.3 }), spanish).es ?? 0) > 0.9);
});

test("an unsure stretch follows its neighbours, before and after it", (t) => {
  const shares = { es: 0.5, en: 0.5 };
  const unsure = heard(2, { es: 0.4, en: 0.5 });
  const [spanish, english] = [heard(8, { es: 0.99 }), heard(8, { en: 0.99 })];
  const middle = (row: Evidence[]) => smooth(row, shares)[1];
  t.true((middle([spanish, unsure, spanish])?.es ?? 0) > 0.9);
  t.true((middle([english, unsure, english])?.en ?? 0) > 0.9);
  t.true((middle([spanish, english, spanish])?.en ?? 0) > 0.9, "but a sure one does not");
  t.true((smooth([unsure, spanish], shares)[0]?.es ?? 0) > 0.8);
  t.true((smooth([spanish, unsure], shares)[1]?.es ?? 0) > 0.8);
  t.deepEqual(smooth([], shares), []);
});

test("a thousand stretches are smoothed without running out of numbers", (t) => {
  const row = Array.from({ length: 1_000 }, (_, i) => heard(6, i < 500 ? { es: 0.95 } : { en: 0.95 }));
  const beliefs = smooth(row, { es: 0.5, en: 0.5 });
  t.true(beliefs.every((belief, i) => (belief[i < 500 ? "es" : "en"] ?? 0) > 0.9));
});

test("few windows settle a recording of one language; one that differs has all of them heard", (t) => {
  const spanish = heard(25, { es: 0.995 });
  t.false(isSettled([], 3));
  t.true(isSettled([spanish], 1));
  t.false(isSettled([spanish], 3), "two windows are heard where there are two");
  t.true(isSettled([spanish, spanish], 10));
  t.false(isSettled([heard(2, { es: 0.995 })], 2));
  const unsure = heard(20, { es: 0.4, ca: 0.35 });
  t.false(isSettled([unsure, unsure, unsure], 10));
  t.true(isSettled([unsure, unsure, unsure, unsure], 10));
  const mixed = [spanish, heard(25, { en: 0.99 })];
  t.false(isSettled([...mixed, spanish, spanish, spanish, spanish], 10));
});

test("the windows heard first are spread over the recording, and none is heard twice", (t) => {
  t.deepEqual(spreadOrder([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), [1, 6, 3, 8, 0, 2, 4, 5, 7, 9]);
  t.deepEqual(spreadOrder(["only"]), ["only"]);
  t.deepEqual(spreadOrder([]), []);
});

function window(...languages: WindowLanguage[]): WindowResult {
  const language = languages[0]?.language ?? "es";
  return { index: 0, language, languages, segments: [], averageLogprob: 0, tokens: 0, retries: [], computeMs: 0 };
}

const part = (language: string, seconds: number, probabilities: Record<string, number> = { [language]: 1 }) => ({
  language,
  seconds,
  probabilities,
});

test("the recording's language is the one most speech was decoded in", (t) => {
  const first = { language: "es", confidence: 0.97, warnings: ["lid_tie:es~ca"] };
  t.is(settleLanguage(first, [window(part("es", 20)), window(part("es", 9))]), first, "all agree: the decision stands");
  t.is(settleLanguage(first, []), first);
  t.deepEqual(settleLanguage(first, [window(part("es", 20)), window(part("en", 30), part("es", 4))]), {
    language: "en",
    confidence: 30 / 54,
    warnings: [],
  });
  t.deepEqual(settleLanguage(first, [window(part("es", 20), part("en", 18))]).warnings, ["lid_tie:es~en"]);
});

test("when identification failed, the windows' own languages decide and the warning stays", (t) => {
  const failed = undecidedLanguage(["ca", "es"], "lid_failed: out of memory", { languages: ["ca", "es"], shares: {} });
  t.is(failed.language, "ca");
  t.deepEqual(settleLanguage(failed, [window(part("es", 20, { es: 0.9, ca: 0.1 }))]), {
    language: "es",
    confidence: 0.9,
    warnings: ["lid_failed: out of memory"],
  });
  t.deepEqual(undecidedLanguage([], "lid_local_unavailable"), {
    language: "en",
    confidence: 0,
    warnings: ["lid_local_unavailable"],
  });
});
