export const PII_TYPES = [
  "PERSON",
  "EMAIL",
  "PHONE",
  "ADDRESS",
  "NATIONAL_ID",
  "BANK_ACCOUNT",
  "CARD",
  "DATE_OF_BIRTH",
  "PASSPORT",
  "LICENSE_PLATE",
  "USERNAME",
  "PASSWORD",
] as const;

export type PiiType = (typeof PII_TYPES)[number];

/** `entity_name` writes `[TYPE]`, `mask` one `*` a character. */
export type Policy = "entity_name" | "mask";

/** A piece of personal data within one turn; a value over several turns is several of these. */
export interface Entity {
  type: PiiType;
  /** Index of the turn. */
  utterance: number;
  /** UTF-16 offsets in the text of that turn, end exclusive. */
  start: number;
  end: number;
  /** 0 to 1. */
  confidence: number;
  source: "rule" | "model";
}

/** What a model claims to have seen; not yet looked up in the text. */
export interface Claim {
  type: string;
  text: string;
  /** Where the model saw it, when it says. */
  utterance?: number | undefined;
}
