/** Models of the catalogue that hear faster than Whisper, in the languages they know (family.ts). */
export const FAST_MODELS = ["moonshine-tiny", "parakeet-tdt-0.6b-v3"] as const;

export type FastModel = (typeof FAST_MODELS)[number];
