/** Samples that one probability of Silero speaks for: 32 ms at 16 kHz. */
export const FRAME = 512;

/** Samples before a frame that the model hears with it. */
export const CONTEXT = 64;
