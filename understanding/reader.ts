import type { Evidence } from "./evidence.ts";
import type { Sources } from "./sources.ts";
import type { Line } from "./transcript.ts";
import type { Call, Request } from "./types.ts";

/** What a module's reader may look at. */
export interface Reading {
  /** Without what was said to machines (orders.ts), roles only where they are usable. */
  call: Call;
  evidence: Evidence;
  /** Proof of what was said to machines; null when nothing was. */
  suspect: Evidence | null;
  /** `call` without what may be said to machines: an opinion, which no words of an answer prove, must have its reason there. */
  firm: Call;
  /** … and without what there is any doubt of: there it must have its reason at first. */
  certain: Call;
  sources: Sources;
  request: Request;
}

/** Where a claim about these lines is looked up: what was said to machines is proof of itself only. */
export function proofOf({ evidence, suspect }: Reading, lines: readonly Line[]): Evidence {
  return suspect && lines.some((line) => line.suspect) ? suspect : evidence;
}

/**
 * One module's part in a question, and the judge of its answer. `Piece` is what it keeps of one part of the call.
 */
export interface Reader<Piece, Result> {
  field: { name: string; shape: string; about: string };
  /** JSON Schema of the field. */
  schema: object;
  /** Tokens that an answer may take: so many, and so many for each token of the call. */
  tokens: { fixed: number; each: number };
  /** False: nothing in these lines is the module's business, so that it is not asked. */
  concerns?(lines: readonly Line[]): boolean;
  /**
   * Null for what cannot be believed. `first`: it is asked for once more then, about the lines without anything that may be
   * said to a machine (narrow.ts), so that what is merely doubtful is better refused.
   */
  read(value: unknown, lines: readonly Line[], first: boolean): Piece | null;
  /** A piece that says "there is nothing". */
  isEmpty?(piece: Piece): boolean;
  /** Pieces in the order of the call, none lost. Null when they make no result. */
  join(pieces: readonly Piece[]): Result | null;
  /** What was found is looked at once more, apart from the call; null when there is nothing to look at. */
  review?(pieces: readonly Piece[]): { text: string; reader: Reader<Piece, Result> } | null;
  /** Of a module whose pieces are made one by asking again: the piece as a note. */
  note?(piece: Piece): string;
}
