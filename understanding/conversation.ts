import { Correspondent, type Response } from "./correspondent.ts";
import { narrowed } from "./narrow.ts";
import { halves, type Part, partsOf, tokensOf } from "./parts.ts";
import type { AnyReader } from "./readers.ts";
import { type Line, plain, renderLine } from "./transcript.ts";
import type { Group, Module } from "./types.ts";
import type { Missing, WithModel } from "./understand.ts";

/** Tries of a question; what cannot be believed then has failed. The second may differ from the first. */
const TEMPERATURES = [0, 0.5] as const;
/** The least room for a call's own words that makes sense, tokens. */
const LEAST_ROOM = 128;
/** Questions about one call at a time. */
const SIDE_BY_SIDE = 3;

export interface About {
  group: Group;
  language: string;
  /** The call without what was said to machines, and that alone; they are never in one question. */
  lines: readonly Line[];
  apart: readonly Line[];
}

type Readers = ReadonlyMap<Module, AnyReader>;
type Pieces = Map<Module, unknown[]>;

/**
 * Everything one group asks of a model about one call: part by part where it is long, twice where an answer cannot be
 * believed, and once more to make one summary of many.
 */
export class Conversation {
  readonly correspondent: Correspondent;
  /** Why a module has no result; it is not asked for any more. */
  readonly missing = new Map<Module, Missing>();
  readonly #parts: WithModel;
  readonly #about: About;

  constructor(parts: WithModel, about: About) {
    this.#parts = parts;
    this.#about = about;
    this.correspondent = new Correspondent(parts, about.group, about.language);
  }

  /** Results by module, those in `missing` aside. Rejects with the signal's reason. */
  async hold(readers: Readers): Promise<Map<Module, unknown>> {
    const pieces = await this.#readAll(readers);
    const found = new Map<Module, unknown>();
    for (const [module, reader] of readers) {
      const own = pieces.get(module) ?? [];
      const all = await this.#finish(module, reader, own);
      if (this.missing.has(module)) continue;
      const result = all.length === 0 ? null : reader.join(all);
      // No piece at all: nobody said anything that this module could be asked about.
      if (result === null) this.#lose([module], all.length === 0 ? "unavailable" : "failed");
      else found.set(module, result);
    }
    return found;
  }

  async #readAll(readers: Readers): Promise<Pieces> {
    const { lines, apart } = this.#about;
    const { tokens } = this.#parts.client;
    const room = await this.correspondent.room([...readers.values()]);
    if (room < LEAST_ROOM) {
      this.#parts.log.error({ room, group: this.#about.group }, "the model's window is too small for any question");
      this.#lose([...readers.keys()], "unavailable");
      return new Map();
    }
    const parts = [...(await partsOf(lines, room, tokens)), ...(await partsOf(apart, room, tokens))];
    const pieces: Pieces = new Map();
    for (const answer of await sideBySide(parts, (part) => this.#read(part, readers))) add(pieces, answer);
    return pieces;
  }

  /** One part in two tries; in halves where the server's window is smaller than it was said to be. */
  async #read(part: Part, readers: Readers): Promise<Pieces> {
    const pieces: Pieces = new Map();
    const open = () =>
      [...readers].filter(
        ([module, { concerns }]) =>
          !this.missing.has(module) && !pieces.has(module) && (concerns?.(part.lines) ?? true),
      );
    for (const [tries, temperature] of TEMPERATURES.entries()) {
      const wanted = new Map(open());
      if (wanted.size === 0) break;
      const first = tries === 0;
      // A name or a threat must not be left out with what may be an order; of opinions and free text nothing is lost.
      const lines = first || this.#about.group !== "insight" ? part.lines : narrowed(part.lines);
      const text = lines.map(renderLine).join("\n");
      const letter = { readers: [...wanted.values()], text, kind: "call", tokens: part.tokens, temperature } as const;
      const response = await this.correspondent.ask(letter);
      const two = response === "too long" ? halves(part) : null;
      if (two) {
        for (const half of two) add(pieces, await this.#read(half, wanted));
        return pieces;
      }
      const read = [...wanted].map(([module, reader]) => ({
        module,
        reader,
        piece: pieceOf(response, reader, part.lines, first),
      }));
      // "There is nothing" is only as good as the answer it stands in.
      const sound = read.every(({ piece }) => piece !== null);
      for (const { module, reader, piece } of read)
        if (piece !== null && (sound || !reader.isEmpty?.(piece))) pieces.set(module, [piece]);
      this.#judge(response, new Map(open()), temperature);
    }
    return pieces;
  }

  async #finish(module: Module, reader: AnyReader, pieces: unknown[]): Promise<unknown[]> {
    if (this.missing.has(module)) return pieces;
    const review = reader.review?.(pieces);
    if (review) {
      const tokens = await tokensOf(this.#parts.client.tokens, review.text);
      return [await this.#askAgain(module, review.reader, { kind: "words", text: review.text, tokens })];
    }
    return reader.note && pieces.length > 1 ? this.#condense(module, reader, pieces) : pieces;
  }

  /** Many pieces of one module made one by asking about them, again while they do not fit into one question. */
  async #condense(module: Module, reader: AnyReader, pieces: unknown[]): Promise<unknown[]> {
    const room = await this.correspondent.room([reader]);
    let own = pieces;
    while (own.length > 1 && !this.missing.has(module)) {
      const groups: { notes: string[]; first: unknown; tokens: number }[] = [];
      for (const piece of own) {
        const note = `- ${plain(reader.note?.(piece) ?? "")}`;
        const tokens = 1 + (await tokensOf(this.#parts.client.tokens, note));
        const last = groups.at(-1);
        // Two at least, or it would never end; notes are far shorter than the room.
        if (last && (last.tokens + tokens <= room || last.notes.length < 2)) {
          last.notes.push(note);
          last.tokens += tokens;
        } else groups.push({ notes: [note], first: piece, tokens });
      }
      own = await sideBySide(groups, ({ notes, first, tokens }) =>
        notes.length === 1
          ? Promise.resolve(first)
          : this.#askAgain(module, reader, { kind: "notes", text: notes.join("\n"), tokens }),
      );
    }
    return own;
  }

  /** A piece about something else than lines of the call, in two tries. */
  async #askAgain(
    module: Module,
    reader: AnyReader,
    about: { kind: "notes" | "words"; text: string; tokens: number },
  ): Promise<unknown> {
    for (const [tries, temperature] of TEMPERATURES.entries()) {
      if (this.missing.has(module)) return null;
      const response = await this.correspondent.ask({ readers: [reader], temperature, ...about });
      const piece = pieceOf(response, reader, [], tries === 0);
      this.#judge(response, new Map(piece === null ? [[module, reader]] : []), temperature);
      if (piece !== null) return piece;
    }
    return null;
  }

  /** What is still open after a try: asked for again, or missing. */
  #judge(response: Response, open: Readers, temperature: number): void {
    const { metrics } = this.#parts;
    const outcome = response === "away" ? "unanswered" : open.size > 0 ? "doubted" : "believed";
    metrics.questions.inc({ group: this.#about.group, outcome });
    const last = temperature === TEMPERATURES.at(-1);
    if (response === "away" || (last && response === "broken")) this.#lose([...open.keys()], "unavailable");
    else if (last || response === "too long") this.#lose([...open.keys()], "failed");
  }

  /** The first reason stays. */
  #lose(modules: readonly Module[], why: Missing): void {
    for (const module of modules) if (!this.missing.has(module)) this.missing.set(module, why);
  }
}

function pieceOf(response: Response, reader: AnyReader, lines: readonly Line[], first: boolean): unknown {
  if (typeof response === "string" || !response.reply) return null;
  const { fields, cut } = response.reply;
  const { name } = reader.field;
  // A list that was cut off may lack what matters most.
  return cut === name || !Object.hasOwn(fields, name) ? null : reader.read(fields[name], lines, first);
}

function add(all: Pieces, more: Pieces): void {
  for (const [module, pieces] of more) all.set(module, [...(all.get(module) ?? []), ...pieces]);
}

/** A few at a time, answers in the order of what was asked. The first failure is thrown when all have ended. */
async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as T);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(SIDE_BY_SIDE, items.length) }, lane));
  const failed = lanes.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  return results;
}
