import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { readWav } from "../../eval/audio/wav.ts";
import { evaluationCache } from "../../eval/evaluation.ts";
import { Random } from "../../eval/random.ts";
import { buildSets, type Making } from "../../eval/speech/sets/build.ts";
import { freeCalls, neuralCalls } from "../../eval/speech/sets/call.ts";
import { castFor } from "../../eval/speech/sets/calls/cast.ts";
import { LANGUAGES } from "../../eval/speech/sets/calls/language.ts";
import { KINDS, writeScript } from "../../eval/speech/sets/calls/script.ts";
import { conditions } from "../../eval/speech/sets/condition.ts";
import { kept, type Wanted } from "../../eval/speech/sets/keep.ts";
import { noises } from "../../eval/speech/sets/noise.ts";
import { roleCalls } from "../../eval/speech/sets/roles.ts";
import { englishPhones } from "../../eval/speech/sets/spanish-phones.ts";
import type { Recording } from "../../eval/speech/sets/types.ts";
import { vocabularyCalls } from "../../eval/speech/sets/vocabulary.ts";
import { FREE_VOICES, PARTS } from "../../eval/speech/sets/voices/catalogue.ts";
import { soundsOfWords } from "../../eval/speech/sets/voices/kokoro-sounds.ts";
import { SPEAKERS } from "../../eval/speech/sets/voices/recorded.ts";

/** A cache of its own for what is made; the fetched packages are shared, so that later runs work offline. */
async function making(t: ExecutionContext): Promise<Making> {
  const cache = await mkdtemp(join(tmpdir(), "escriba-sets-"));
  t.teardown(() => rm(cache, { recursive: true }));
  const packages = join(evaluationCache(), "debian");
  await mkdir(packages, { recursive: true });
  await symlink(packages, join(cache, "debian"));
  return { cache, say: () => {} };
}

/** Every time of a recording is in order and in its place. */
function checkTimes(t: ExecutionContext, recording: Recording): void {
  const { words = [], turns = [], durationMs, id } = recording;
  t.true(words.length > 20, id);
  for (const [i, word] of words.entries()) {
    t.true(word.start < word.end && word.end <= durationMs / 1_000, `${id}: ${word.text}`);
    t.true(word.start >= (words[i - 1]?.start ?? 0), `${id}: ${word.text}`);
    const inside = ({ speaker, start, end }: (typeof turns)[number]) =>
      speaker === word.speaker && start <= word.start && word.end <= end;
    t.true(turns.some(inside), `${id}: ${word.text} is in no turn of ${word.speaker}`);
  }
  const spoken = turns
    .map(({ text }) => text)
    .join(" ")
    .split(" ");
  t.deepEqual(words.map(({ text }) => text).sort(), spoken.sort(), id);
}

test("asked for what is made already, nothing is made", async (t) => {
  t.deepEqual(await buildSets({ ...(await making(t)), only: ["noise", "roles"], onlyMade: true }), []);
});

test("a name that is no set is refused with the names there are", async (t) => {
  await t.throwsAsync(buildSets({ ...(await making(t)), only: ["natural", "song"] }), {
    message: /no set is called song; there are natural, call/,
  });
});

test("a call is made the same from nothing, byte for byte, and its words are in its turns", async (t) => {
  const wanted = roleCalls(1, 0).filter(({ id }) => /^roles-(en|es)-held-out/.test(id));
  t.is(wanted.length, 2);
  const [one, other] = [await making(t), await making(t)];
  const made = await kept(wanted, one);
  const again = await kept(wanted, other);
  for (const [i, recording] of made.entries()) {
    const { path, ...known } = recording;
    const { path: otherPath, ...otherKnown } = again[i] as Recording;
    t.deepEqual(known, otherKnown);
    t.true((await readFile(path)).equals(await readFile(otherPath)));
    t.is(recording.durationMs, Math.round((await readWav(path)).samples.length / 16));
    checkTimes(t, recording);
    t.deepEqual(Object.values(recording.roles ?? {}).sort(), ["agent", "customer"]);
  }
  t.deepEqual(await kept(wanted, one), made, "the second time they come from the cache");
});

test("the same call quieter, as a line has it and in stereo", async (t) => {
  const where = await making(t);
  const [source] = await kept(freeCalls({ two: 1, three: 0, one: 0 }).slice(0, 1), where);
  const made = await kept(conditions(source as Recording), where);
  t.deepEqual(
    made.map(({ condition }) => condition),
    ["quiet-20db", "mu-law", "gsm", "stereo-same", "stereo-opposite-phase", "stereo-channel-a-speaker"],
  );
  const plain = (await readWav((source as Recording).path)).samples;
  const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const quiet = (await readWav(made[0]?.path as string)).samples;
  t.true(Math.abs(10 * Math.log10(power(plain) / power(quiet)) - 20) < 0.5);
  const gsm = (await readWav(made[2]?.path as string)).samples;
  const product = plain.subarray(0, gsm.length).reduce((sum, sample, i) => sum + sample * (gsm[i] as number), 0);
  t.true(product / plain.length / Math.sqrt(power(plain) * power(gsm)) > 0.6, "GSM leaves the speech where it was");
  const bytes = await readFile(made[4]?.path as string);
  t.is(bytes.readUInt16LE(22), 2);
  for (let at = 44; at + 4 <= bytes.length; at += 4_000) {
    t.true(Math.abs(bytes.readInt16LE(at) + bytes.readInt16LE(at + 2)) <= 1);
  }
  t.deepEqual(made[5]?.words, source?.words);
});

test("what is not speech lasts three hours and more, and is made the same again", async (t) => {
  const samples = noises(1).reduce((sum, { recipe }) => sum + (recipe as { length: number }).length, 0);
  t.true(samples / 16_000 / 3_600 >= 3);
  const few = noises(0.01).filter(({ id }) => id.endsWith("-1"));
  t.is(few.length, 9);
  const [one, other] = [await kept(few, await making(t)), await kept(few, await making(t))];
  for (const [i, recording] of one.entries()) {
    const bytes = await readFile(recording.path);
    t.true(bytes.equals(await readFile((other[i] as Recording).path)), recording.id);
    const loud = (await readWav(recording.path)).samples.some((sample) => Math.abs(sample) > 300);
    t.is(loud, recording.condition !== "silence", recording.id);
  }
});

test("no speaker is in both splits, and twelve and more are held out", (t) => {
  const speakers = new Map<string, string>();
  const voices = [...FREE_VOICES, ...PARTS.map(({ voice }) => voice)];
  const people = SPEAKERS.map(({ name, split }) => ({ speaker: name.replace(/-es$/, ""), split }));
  for (const { speaker, split } of [...voices, ...people]) {
    t.is(speakers.get(speaker) ?? split, split, speaker);
    speakers.set(speaker, split);
  }
  t.true([...speakers.values()].filter((split) => split === "held-out").length >= 12);
});

const recipeOf = ({ recipe }: Wanted) =>
  recipe as { cast: Record<string, { sex: string; speaker: string; split: string }>; narrow: boolean };

test("there are as many calls as promised: 40 a language, half of one sex, half of a telephone", (t) => {
  for (const language of LANGUAGES) {
    const calls = [...freeCalls({ two: 22, three: 4, one: 6 }), ...neuralCalls()].filter(({ id }) =>
      id.startsWith(`call-${language}`),
    );
    t.true(calls.length >= 40);
    const pairs = calls.map(recipeOf).filter(({ cast }) => Object.keys(cast).length === 2);
    const sexes = pairs.map(({ cast }) => new Set(Object.values(cast).map(({ sex }) => sex)).size);
    t.true(sexes.filter((size) => size === 1).length >= pairs.length / 2);
    t.true(Math.abs(calls.filter((call) => recipeOf(call).narrow).length - calls.length / 2) <= 2);
    for (const { cast } of pairs) {
      const [a, b] = Object.values(cast);
      t.not(a?.speaker, b?.speaker);
      t.is(a?.split, b?.split);
    }
  }
});

test("200 calls have roles that must be found, and every other kind is there", (t) => {
  const calls = roleCalls(50, 5);
  const expected = (what: string) =>
    calls.filter(({ recipe }) => (recipe as { facts: Recording }).facts.expectation === what).length;
  t.is(expected("attributed"), 200);
  t.is(expected("null-or-warned"), 4 * 5 * (KINDS.length - 1));
  t.is(new Set(calls.map(({ id }) => id)).size, calls.length);
});

test("held-out calls say nothing that is about what development calls are about", (t) => {
  for (const language of LANGUAGES) {
    const lines = (split: "development" | "held-out") =>
      Array.from({ length: 60 }, (_, i) => {
        const random = new Random(`${split} ${i}`);
        const { lines: said } = writeScript({ kind: "inbound", language, split, length: "brief", random });
        return [said[0]?.text, said[1]?.text];
      }).flat();
    const heldOut = new Set(lines("held-out"));
    for (const line of lines("development")) t.false(heldOut.has(line), line);
  }
});

test("nothing is left in braces or written in digits, in any kind of call", (t) => {
  for (const language of LANGUAGES) {
    for (const kind of KINDS) {
      for (let i = 0; i < 30; i++) {
        const random = new Random(`${kind} ${i}`);
        const split = i % 2 ? "development" : "held-out";
        const script = writeScript({ kind, language, split, length: i % 3 ? "full" : "long", random });
        for (const { text } of script.lines) t.notRegex(text, /[{}\d]|undefined/);
        t.notThrows(() => castFor(script, split, i % 4 < 2, random));
      }
    }
  }
});

test("a call with terms names some of its list, a call without names none", (t) => {
  for (const { recipe, id } of vocabularyCalls(3, 3)) {
    const { script, facts } = recipe as { script: { lines: { text: string }[] }; facts: Recording };
    const said = script.lines.map(({ text }) => text).join(" ");
    const named = facts.vocabulary?.filter((term) => said.includes(term)) ?? [];
    t.is(named.length > 0, facts.condition === "terms", id);
  }
});

test("words that are written together in sounds are parted again", (t) => {
  const sounds = soundsOfWords("hˈaɪ, aɪɐm kˈɔːlɪŋ", ["hˈaɪ", "ˈaɪ", "æm", "kˈɔːlɪŋ"]);
  const of = (index: number) =>
    sounds
      .filter(({ word }) => word === index)
      .map(({ symbol }) => symbol)
      .join("");
  t.deepEqual([0, 1, 2, 3].map(of), ["hˈaɪ", "aɪ", "ɐm", "kˈɔːlɪŋ"]);
});

test("Spanish words are spelled in sounds that an English aligner knows", (t) => {
  t.is(englishPhones("ɡɾˈaθjas"), "G D AA S Y AA S");
  t.is(englishPhones("mˈutʃo"), "M UW CH OW");
  t.is(englishPhones("øː"), null);
  t.is(englishPhones(""), null);
});

test("the parts of neural voices make a call, in which nobody overlaps themselves", (t) => {
  for (const { id, recipe } of neuralCalls().filter((one) => one.id.startsWith("call-"))) {
    const { script } = recipe as { script: { lines: { speaker: string; text: string; pause: number }[] } };
    t.true(script.lines.length >= 15, id);
    for (const [i, { speaker, pause, text }] of script.lines.entries()) {
      t.notRegex(text, /[{}\d]|undefined/, id);
      if (speaker === script.lines[i - 1]?.speaker) t.true(pause > 0, id);
    }
  }
});

test("the splits share no term", (t) => {
  const terms = new Map<string, string>();
  for (const { id, recipe } of vocabularyCalls(1, 0)) {
    const key = id.replace(/-(development|held-out)-.*/, "");
    const split = id.includes("held-out") ? "held-out" : "development";
    for (const term of (recipe as { facts: Recording }).facts.vocabulary ?? []) {
      t.is(terms.get(`${key} ${term}`) ?? split, split, term);
      terms.set(`${key} ${term}`, split);
    }
  }
  t.true(terms.size >= 40);
});
