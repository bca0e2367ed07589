import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline as flow } from "node:stream/promises";
import { type Plan, SAMPLE_RATE, type Transcript, type WindowResult } from "../../../speech/types.ts";
import { keys } from "../../../storage/keys.ts";
import type { ObjectStore } from "../../../storage/object-store.ts";
import type { Roles } from "../../../understanding/types.ts";
import { attributed } from "../../../workflows/activities/attributed.ts";
import { readObject } from "../../../workflows/activities/objects.ts";
import { byLanguage, type HeardWindow } from "../measure/languages.ts";
import type { CodeVersion } from "./code-version.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Request } from "./steps.ts";

/** Everything about a transcript that is measured. */
export interface Transcribed {
  /** As a client reads it, roles included. */
  transcript: Transcript;
  /** What was heard, and as which language. Seconds. */
  windows: HeardWindow[];
}

/** Transcripts of recordings, each made once a version of the code. */
export interface Transcripts {
  /** From the keep, or null. */
  known(audio: string, request: Request): Promise<Transcribed | null>;
  make(audio: string, request: Request): Promise<Transcribed>;
}

/** Objects of a transcript that depend on the hearing alone; the others are made afresh. */
const HEARD = /\/(audio\.s16|plan\.json|language\.json|(windows|voices)\/.*)$/;

/**
 * Keeps transcripts in `directory` under a hash of the audio, the request and the code (with the
 * settings that decide). When only later steps have changed, windows that were heard are taken as they
 * are. `pipeline` is asked for when something is to be made.
 */
export function keepTranscripts(
  directory: string,
  version: CodeVersion,
  pipeline: () => Promise<Pipeline>,
): Transcripts {
  const digest = (...parts: string[]) => createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
  const digests = new Map<string, Promise<string>>();
  const names = async (audio: string, request: Request) => {
    const bytes = digests.get(audio) ?? hashOf(audio);
    digests.set(audio, bytes);
    const asked = JSON.stringify([request.language, request.vocabulary]);
    const id = `${digest(await bytes, asked)}${digest(version.hearing)}`;
    return { id, kept: join(directory, `${id}-${digest(version.all)}.json`) };
  };
  return {
    known: async (audio, request) => {
      const { kept } = await names(audio, request);
      const text = await readFile(kept, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      return text === null ? null : JSON.parse(text);
    },
    make: async (audio, request) => {
      const { id, kept } = await names(audio, request);
      const { store, run } = await pipeline();
      for await (const key of store.list(keys.transcript(id))) if (!HEARD.test(key)) await store.delete(key);
      await run(id, audio, request);
      const made = await read(store, id);
      await mkdir(directory, { recursive: true });
      await writeFile(`${kept}.${process.pid}`, JSON.stringify(made));
      await rename(`${kept}.${process.pid}`, kept);
      await store.delete(keys.pcm(id)); // a gigabyte in ten hours; its windows are heard
      return made;
    },
  };
}

async function read(store: ObjectStore, id: string): Promise<Transcribed> {
  const assembled = await readObject<Transcript>(store, keys.result(id));
  const plan = await readObject<Plan>(store, keys.plan(id));
  if (!assembled || !plan) throw new Error(`${id} has ended without a transcript`);
  const windows: HeardWindow[] = [];
  for (const { index, spans } of plan.chunks.flatMap((chunk) => chunk.windows)) {
    const result = await readObject<WindowResult>(store, keys.window(id, index));
    const seconds = spans.map(({ start, end }) => ({ start: start / SAMPLE_RATE, end: end / SAMPLE_RATE }));
    const whole = { language: result?.language ?? assembled.language, spans: seconds };
    windows.push(...byLanguage(whole, result?.languages));
  }
  return { transcript: attributed(assembled, await readObject<Roles>(store, keys.roles(id))), windows };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await flow(createReadStream(path), hash);
  return hash.digest("hex");
}
