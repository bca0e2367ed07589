/** Something that was said: 16 kHz samples, and each word between spaces with its time in seconds. */
export interface Speech {
  samples: Int16Array<ArrayBuffer>;
  words: { text: string; start: number; end: number }[];
}

export const RATE = 16_000;
