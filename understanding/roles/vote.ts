import type { Role } from "../types.ts";

/** What a voter says of a call. Speakers who are not named in it, or null, are not known. */
export interface Vote {
  roles: Record<string, Role | null>;
  /** Calibrated probability that every role of it is right. */
  confidence: number;
}
