export interface Progress {
  name: string;
  /** `waiting`: another process fetches the same model and holds its lock. */
  phase: "download" | "convert" | "waiting";
  /** Bytes of the phase, all files together; both 0 while waiting. */
  done: number;
  total: number;
  /** The file at work, or what is waited for. */
  file: string;
}

export type OnProgress = (progress: Progress) => void;
