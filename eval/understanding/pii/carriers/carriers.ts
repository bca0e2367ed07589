import type { Language, Split } from "../types.ts";
import type { Deterministic } from "../values.ts";
import { enDevelopment } from "./en-development.ts";
import { enHeldOut } from "./en-held-out.ts";
import { enWider } from "./en-wider.ts";
import { esDevelopment } from "./es-development.ts";
import { esHeldOut } from "./es-held-out.ts";
import { esWider } from "./es-wider.ts";

/** Turns around a value, by type. */
export type Carriers = Record<Deterministic, string[][]>;

export const CARRIERS: Record<Language, Record<Split, Carriers>> = {
  es: { development: esDevelopment, wider: esWider, "held-out": esHeldOut },
  en: { development: enDevelopment, wider: enWider, "held-out": enHeldOut },
};
