/** Of every prompt together; a transcript says in `metrics.prompt_version` which ones it was read with. */
export const PROMPT_VERSION = "2026-11-21";
