/** What the modules read: one call, its turns in order. */
export interface Call {
  /** ISO 639-1. */
  language: string;
  utterances: Utterance[];
}

export interface Utterance {
  speaker: string | null;
  speakerRole: "agent" | "customer" | null;
  text: string;
  /** Seconds. */
  start: number;
  end: number;
}
