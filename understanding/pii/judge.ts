import type { Subject } from "./context.ts";
import type { Topic } from "./language/lexicon.ts";
import { SHAPES } from "./shapes.ts";
import type { PiiType } from "./types.ts";

export interface Verdict {
  type: PiiType;
  /** How well the value fits, 0 to 1. */
  fit: number;
  confidence: number;
}

const TYPES = Object.keys(SHAPES) as PiiType[];

/** Digits alone of these types are told from others by what is said around them only. */
const NEEDS_CONTEXT = new Set<PiiType>(["PASSPORT", "PASSWORD", "USERNAME", "DATE_OF_BIRTH", "ADDRESS"]);

/** A form that stands for itself where nothing is said against it. */
const FORM = 0.7;

/** A form with its checksum, or as particular as that: whatever is said around it. */
const CERTAIN = 0.92;

/** So many digits are redacted where somebody's number is asked for, whatever their form. */
const MANY = 6;

/** So many digits are redacted where nothing at all is said of them. */
const LONG = 7;

/** … and so many where they are all that a turn says: the question was not understood, but something is dictated. */
const ALONE = 5;

/** What a value is, by its readings and by what is said around it; null when it is nobody's. `alone`: its turn says nothing else. */
export function judge(
  readings: readonly string[],
  subjects: readonly Subject[],
  language: string,
  alone = false,
): Verdict | null {
  const fits = TYPES.map((type) => ({
    type,
    fit: Math.max(...readings.map((value) => SHAPES[type]?.(value, language) ?? 0)),
  }));
  const [subject] = subjects;
  const certain = best(fits.filter(({ type, fit }) => fit >= CERTAIN && !NEEDS_CONTEXT.has(type)));
  const asked = subjects.filter(({ topic }) => topic !== "HARMLESS").map(({ topic }) => topic);
  if (subject && isType(subject.topic)) {
    const own = fits.find(({ type }) => type === subject.topic)?.fit ?? 0;
    if (certain && certain.type !== subject.topic && own < 0.4 && !NEEDS_CONTEXT.has(subject.topic))
      return { ...certain, confidence: 0.9 };
    if (subject.part && digits(readings) >= (subject.near ? 3 : 2))
      return { type: subject.topic, fit: Math.max(own, 0.3), confidence: 0.7 };
    if (own > 0 && enough(subject.topic, readings))
      return { type: subject.topic, fit: own, confidence: own > FORM ? 0.97 : 0.85 };
    const other = best(fits.filter(({ type, fit }) => fit >= 0.5 && !NEEDS_CONTEXT.has(type)));
    if (other) return { ...other, confidence: 0.7 };
    if (digits(readings) >= MANY && subject.topic !== "EMAIL")
      return { type: subject.topic, fit: 0.1, confidence: 0.5 };
  }
  if (certain) return { ...certain, confidence: 0.85 };
  if (subject?.topic === "HARMLESS") return null;
  const plate = fits.find(({ type }) => type === "LICENSE_PLATE");
  if (subject?.topic === "VEHICLE" && plate && plate.fit >= 0.3) return { ...plate, confidence: 0.7 };
  const form = best(fits.filter(({ type, fit }) => fit >= FORM && !NEEDS_CONTEXT.has(type)));
  if (form) return { ...form, confidence: 0.7 };
  const phone = fits.find(({ type, fit }) => type === "PHONE" && fit > 0);
  if (phone && asked.includes("NUMBER")) return { ...phone, confidence: 0.6 };
  // So long a number of which nothing is said is somebody's more often than not.
  if (
    (asked.includes("ANY") && digits(readings) >= MANY) ||
    (subjects.length === 0 && digits(readings) >= (alone ? ALONE : LONG))
  ) {
    const likely = best(fits.filter(({ type, fit }) => fit > 0.2 && !NEEDS_CONTEXT.has(type)));
    return likely ? { ...likely, confidence: 0.5 } : null;
  }
  return null;
}

const best = (fits: { type: PiiType; fit: number }[]) => fits.toSorted((a, b) => b.fit - a.fit)[0];

const isType = (topic: Topic): topic is PiiType =>
  topic !== "ANY" && topic !== "NUMBER" && topic !== "HARMLESS" && topic !== "VEHICLE";

const digits = (readings: readonly string[]) =>
  Math.max(...readings.map((value) => value.replaceAll(/\D/gu, "").length));

/** Numbers that are this short are seldom a whole value of the type; nothing is said of shorter ones. */
const LEAST: Partial<Record<PiiType, number>> = {
  PHONE: 6,
  NATIONAL_ID: 5,
  BANK_ACCOUNT: 6,
  CARD: 7,
  PASSPORT: 4,
  LICENSE_PLATE: 2,
  PASSWORD: 2,
  USERNAME: 3,
  ADDRESS: 2,
  DATE_OF_BIRTH: 4,
};

const enough = (type: PiiType, readings: readonly string[]) => digits(readings) >= (LEAST[type] ?? MANY);
