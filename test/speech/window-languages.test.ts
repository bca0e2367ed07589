import test from "ava";
import type { Evidence } from "../../speech/language/evidence.ts";
import { stretchesOf } from "../../speech/language/stretches.ts";
import { spokenSamples } from "../../speech/spans.ts";
import type { Span } from "../../speech/types.ts";
import { languageParts, mainLanguage, toWindowLanguage } from "../../speech/whisper/window-languages.ts";

const SECOND = 16_000;

function spans(...seconds: [number, number][]): Span[] {
  return seconds.map(([start, end]) => ({ start: start * SECOND, end: end * SECOND }));
}

function evidence(seconds: number, language: string, probability: number): Evidence {
  const others = ["es", "en", "ca"].filter((other) => other !== language);
  return {
    seconds,
    logprobs: {
      [language]: Math.log(probability),
      ...Object.fromEntries(others.map((other) => [other, Math.log((1 - probability) / 2)])),
    },
  };
}

/** Hears Spanish before `change` (seconds) and English after it, and the whole as mostly the one it begins with. */
function listener(change: number, whole = 0.7) {
  const asked: Span[][] = [];
  return {
    asked,
    whole: async () => evidence(28, "es", whole),
    part: async (some: readonly Span[]) => {
      asked.push([...some]);
      const start = (some[0] as Span).start / SECOND;
      return evidence(spokenSamples(some) / SECOND, start < change ? "es" : "en", 0.97);
    },
  };
}

const choice = { languages: ["es", "en", "ca"], shares: { es: 0.6, en: 0.4 } };

test("a window whose stretches disagree comes apart where the language changes, losing nothing", async (t) => {
  const window = spans([0, 7], [9, 14], [20, 26], [30, 38]);
  const parts = await languageParts(window, choice, listener(18));
  t.deepEqual(
    parts.map(({ language, spans }) => ({ language, spans })),
    [
      { language: "es", spans: spans([0, 7], [9, 14]) },
      { language: "en", spans: spans([20, 26], [30, 38]) },
    ],
  );
  t.is(mainLanguage(parts), "en");
  const [first] = parts.map(toWindowLanguage);
  t.like(first, { language: "es", seconds: 12 });
  t.true((first?.probabilities.es ?? 0) > 0.9);
});

test("a window that is clearly in the recording's language is not looked into", async (t) => {
  const calls = listener(18, 0.98);
  const parts = await languageParts(spans([0, 14], [20, 34]), { ...choice, shares: { es: 1 } }, calls);
  t.deepEqual(
    parts.map(({ language }) => language),
    ["es"],
  );
  t.deepEqual(calls.asked, []);
});

test("where the recording has several languages, a window is looked into however sure it is", async (t) => {
  const parts = await languageParts(spans([0, 14], [20, 34]), choice, listener(18, 0.99));
  t.deepEqual(
    parts.map(({ language }) => language),
    ["es", "en"],
  );
});

test("a window that turns out to be in one language is one part", async (t) => {
  const window = spans([0, 14], [20, 34]);
  const parts = await languageParts(window, choice, listener(99));
  t.deepEqual(
    parts.map(({ language, spans }) => ({ language, spans })),
    [{ language: "es", spans: window }],
  );
});

test("stretches that are sure of nothing are not all written in what the first of them may have been", async (t) => {
  const doubtful = (en: number) => ({
    seconds: 7,
    logprobs: { es: Math.log(0.99 - en), en: Math.log(en), ca: Math.log(0.01) },
  });
  const heard = [doubtful(0.8), doubtful(0.37), doubtful(0.37), doubtful(0.37)];
  const window = spans([0, 7], [8, 15], [16, 23], [24, 31]);
  const shares = { es: 0.5, en: 0.5 };
  const parts = await languageParts(
    window,
    { ...choice, shares },
    { whole: async () => evidence(26, "en", 0.6), part: async () => heard.shift() as Evidence },
  );
  t.deepEqual(
    parts.map(({ language, spans }) => ({ language, spans })),
    [{ language: "es", spans: window }],
  );
});

test("one language to choose from is no question", async (t) => {
  const one = { languages: ["ca"], shares: {} };
  const only = { seconds: 28, logprobs: { ca: 0 } };
  const parts = await languageParts(spans([0, 28]), one, { whole: async () => only, part: () => t.fail() as never });
  t.deepEqual(
    parts.map(({ language }) => language),
    ["ca"],
  );
});

test("stretches are cut at pauses, hold 3 s at least and 8 s where there is no pause, and are the window together", (t) => {
  const window = spans([0, 1], [2, 3], [5, 6.5], [7, 9], [10, 30], [31, 31.5]);
  const stretches = stretchesOf(window);
  t.deepEqual(
    stretches.map((stretch) => Math.round((spokenSamples(stretch) / SECOND) * 10) / 10),
    [3.5, 8.7, 6.7, 7.2],
  );
  t.is(spokenSamples(stretches.flat()), spokenSamples(window));
  t.deepEqual(stretchesOf(spans([3, 4])), [spans([3, 4])]);
  t.deepEqual(stretchesOf([]), []);
});

test("of what has short pauses only, 8 s are one stretch and more is cut at the pauses", (t) => {
  t.deepEqual(stretchesOf(spans([0, 2], [2, 5.5], [5.5, 8])), [spans([0, 8])]);
  t.deepEqual(stretchesOf(spans([0, 2], [2, 5.5], [5.5, 7], [7, 12])), [spans([0, 5.5]), spans([5.5, 12])]);
});
