import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallOptions, Engine, OnWindow } from "../../speech/engine/engine.ts";
import type { prepareAudio } from "../../speech/prepare.ts";
import type { Window } from "../../speech/types.ts";
import { DoubleEngine, planOf } from "../../test/workflows/doubles.ts";

/**
 * An engine that takes its time and computes nothing: for figures of scheduling, not of speed. Two windows side by side
 * take what two take, as on a device that is busy with one.
 */
export class SleepingEngine extends DoubleEngine implements Engine {
  readonly #times: { identifyMs: number; windowMs: number };

  constructor(times: { identifyMs: number; windowMs: number }) {
    super();
    this.#times = times;
  }

  override async identify() {
    await sleep(this.#times.identifyMs);
    return super.identify();
  }

  override async recognise(
    request: { windows: readonly Window[]; language: string; vocabulary?: readonly string[] | undefined },
    options: CallOptions & { onWindow: OnWindow },
  ): Promise<void> {
    await sleep(this.#times.windowMs * request.windows.length, undefined, { signal: options.signal }).catch(() => {
      throw options.signal?.reason;
    });
    await super.recognise(request, options);
  }
}

/** What an upload of this bench holds instead of audio. */
export interface Shape {
  chunks: number;
  /** In each chunk. */
  windows: number;
  durationMs: number;
  /** Milliseconds that decoding takes. */
  prepareMs: number;
}

export const upload = (shape: Shape): Uint8Array => new TextEncoder().encode(JSON.stringify(shape));

/** A window has a fiftieth of a second of silence, so that ten hours of them are no gigabyte. */
const WINDOW_SAMPLES = 320;

/** The plan that an upload asks for, in place of decoding. */
export const preparing: typeof prepareAudio = async ({ source, pcm, onProgress }) => {
  const { chunks, windows, durationMs, prepareMs } = JSON.parse(await text(createReadStream(source))) as Shape;
  onProgress?.({ stage: "decode", seconds: 1 });
  await sleep(prepareMs);
  const samples = chunks * windows * WINDOW_SAMPLES;
  const spans = (index: number) => [{ start: index * WINDOW_SAMPLES, end: (index + 1) * WINDOW_SAMPLES }];
  await writeFile(pcm, Buffer.alloc(samples * 2));
  return planOf(chunks, windows, {
    ...{ samples, durationMs, speechMs: durationMs },
    chunks: Array.from({ length: chunks }, (_, chunk) => ({
      index: chunk,
      start: chunk * windows * WINDOW_SAMPLES,
      end: (chunk + 1) * windows * WINDOW_SAMPLES,
      windows: Array.from({ length: windows }, (_, window) => ({
        index: chunk * windows + window,
        spans: spans(chunk * windows + window),
      })),
    })),
  });
};
