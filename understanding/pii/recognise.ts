import type { Call } from "../types.ts";
import { iban, luhn } from "./checksums.ts";
import type { Entity, PiiType } from "./types.ts";

/** What rules alone find, in the order of the text. Pure; the same call gives the same entities. */
export function recognise(call: Call): Entity[] {
  return call.utterances.flatMap(({ text }, utterance) =>
    written(text).map((found) => ({ ...found, utterance, source: "rule" as const })),
  );
}

interface Found {
  type: PiiType;
  start: number;
  end: number;
  confidence: number;
}

const FORMS: { type: PiiType; form: RegExp; check?: (value: string) => boolean }[] = [
  { type: "EMAIL", form: /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu },
  { type: "BANK_ACCOUNT", form: /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30}\b/gu, check: iban },
  { type: "CARD", form: /\b\d(?:[ -]?\d){12,18}\b/gu, check: luhn },
];

function written(text: string): Found[] {
  return FORMS.flatMap(({ type, form, check }) =>
    [...text.matchAll(form)].map(({ index: start, 0: value }) => {
      const sure = check?.(value.replaceAll(/[ -]/gu, "")) ?? true;
      return { type, start, end: start + value.length, confidence: sure ? 0.95 : 0.6 };
    }),
  );
}
