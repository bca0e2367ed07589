import { Child, ChildCrashed } from "../../process/child-process.ts";
import type { PcmFile, Window } from "../types.ts";
import type { VoicesProgress, VoicesRequest } from "./voices-child.ts";

export interface VoicesOptions {
  /** Directory of the speaker encoder. */
  directory: string;
  silenceMs: number;
  env: Record<string, string | undefined>;
  onStderr?: ((line: string) => void) | undefined;
}

/**
 * The voices of the windows that are recognised, heard beside their words in a process of its own: the encoder uses one
 * core, and recognition leaves some of the others idle. A fault here costs the speakers and not the words: it is said,
 * once until voices are heard again, and the windows go on without voiceprints.
 */
export class Voices {
  readonly #directory: string;
  readonly #child: Child<VoicesRequest, VoicesProgress, null>;
  readonly #say: (line: string) => void;
  #silent = false;

  constructor({ directory, silenceMs, env, onStderr }: VoicesOptions) {
    this.#directory = directory;
    this.#say = (line) => onStderr?.(line);
    this.#child = new Child(new URL("./voices-child.ts", import.meta.url), {
      ...{ silenceMs, env, onStderr: this.#say },
      abort: "ask", // it is never long in native code, and another process would have to load the model
    });
    this.#child.start();
  }

  /**
   * The stored form of each window's voiceprints, by its index; undefined where there are none. Never rejects. After an
   * abort what is not there yet stays undefined.
   */
  hear(
    pcm: PcmFile,
    windows: readonly Window[],
    { onProgress, signal }: { onProgress?: (() => void) | undefined; signal: AbortSignal },
  ): (index: number) => Promise<Uint8Array | undefined> {
    const heard = new Map(windows.map(({ index }) => [index, Promise.withResolvers<Uint8Array | undefined>()]));
    const done = new Set<number>();
    const ask = () =>
      this.#child.call(
        { directory: this.#directory, pcm, windows: windows.filter(({ index }) => !done.has(index)) },
        {
          signal,
          onProgress: ({ index, voices }) => {
            heard.get(index)?.resolve(voices);
            done.add(index);
            onProgress?.();
          },
        },
      );
    ask()
      // A process that was killed may have been in somebody's way once.
      .catch((error: unknown) => (error instanceof ChildCrashed && !signal.aborted ? ask() : Promise.reject(error)))
      .then(
        () => {
          this.#silent = false;
        },
        (error: unknown) => {
          if (!signal.aborted) this.#lost(error);
        },
      )
      .finally(() => {
        for (const { resolve } of heard.values()) resolve(undefined);
      });
    return async (index) => heard.get(index)?.promise;
  }

  close(): Promise<void> {
    return this.#child.close();
  }

  #lost(error: unknown): void {
    if (!this.#silent) this.#say(`voices are not told apart: ${error instanceof Error ? error.message : error}`);
    this.#silent = true;
  }
}
