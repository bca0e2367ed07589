import type { CallOptions, Engine, OnWindow } from "../../speech/engine/engine.ts";
import { type Detection, type LanguageResult, type PcmFile, SAMPLE_RATE, type Window } from "../../speech/types.ts";
import type { Share } from "./share.ts";
import { type Turn, Turns } from "./turns.ts";

export type SharedCallOptions = Required<CallOptions> & {
  share: Share;
  /** Told after each batch how many seconds the engine gave to it. */
  onWorked?: (seconds: number) => void;
};

/**
 * The one engine of a process, shared by the steps that hold its slots: one batch at a time, each of one call's own
 * windows, and between two batches whose turn it is (turns.ts). A call that waits is alive as long as the one before it
 * makes progress, so all get the heartbeat.
 */
export interface SharedEngine {
  /** Windows the engine decodes side by side. */
  readonly batch: number;
  identify(
    request: { pcm: PcmFile; windows: readonly Window[]; hints: readonly string[] },
    options: SharedCallOptions,
  ): Promise<LanguageResult>;
  recognise(
    request: {
      pcm: PcmFile;
      windows: readonly Window[];
      language: string;
      detection?: Detection | undefined;
      vocabulary?: readonly string[] | undefined;
      short: boolean;
    },
    options: SharedCallOptions & { onWindow: OnWindow },
  ): Promise<void>;
}

const LOADING_BEAT_MS = 5_000;
/** What a question for the language counts as: it hears a window or two, each as long as the model's own. */
const IDENTIFY_SECONDS = 30;

/** `longBatch`: windows side by side of a long recording, behind which a short one may have to wait. */
export function shareEngine(
  engine: Engine,
  batch: number,
  { now = () => performance.now(), longBatch = batch } = {},
): SharedEngine {
  const turns = new Turns();
  const waiting = new Map<Turn, () => void>();
  let calls = 0;
  let busy = false;

  /** Resolves when the engine is this call's, for one batch. */
  const take = (
    { share, signal, onProgress }: SharedCallOptions,
    about: Pick<Turn, "order" | "short" | "cost">,
  ): Promise<void> => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      turns.remove(turn);
      end();
      reject(signal.reason);
    };
    const end = () => {
      waiting.delete(turn);
      signal.removeEventListener("abort", leave);
    };
    const start = () => {
      end();
      resolve();
    };
    const turn: Turn = { ...share, ...about, start };
    signal.addEventListener("abort", leave, { once: true });
    waiting.set(turn, onProgress);
    turns.add(turn);
    if (!busy) next();
    return promise;
  };
  const next = () => {
    const turn = turns.next();
    busy = turn !== undefined;
    turn?.start();
  };

  const run = async <T>(options: SharedCallOptions, work: (beating: CallOptions) => Promise<T>): Promise<T> => {
    const began = now();
    const beat = () => {
      options.onProgress();
      for (const one of waiting.values()) one();
    };
    // A child that loads its model cannot speak; its own watchdog ends it when it stays silent too long.
    const loading = setInterval(beat, LOADING_BEAT_MS);
    const onProgress = () => {
      clearInterval(loading);
      beat();
    };
    try {
      return await work({ signal: options.signal, onProgress });
    } finally {
      clearInterval(loading);
      options.onWorked?.((now() - began) / 1000);
    }
  };

  return {
    batch,
    // A recording's first question to the engine: all of its chunks wait for the answer.
    async identify(request, options) {
      await take(options, { order: calls++, short: true, cost: IDENTIFY_SECONDS });
      try {
        return await run(options, (beating) => engine.identify(request, beating));
      } finally {
        next();
      }
    },
    async recognise({ short, windows, ...request }, { onWindow, ...options }) {
      const batches = slices(windows, short ? batch : longBatch);
      const order = calls++;
      let mine = false;
      try {
        for (const some of batches) {
          // Asked for the next batch before the engine is given on, so that the call keeps its place in its share.
          const turn = take(options, { order, short, cost: seconds(some) });
          if (mine) next();
          mine = false;
          await turn;
          mine = true;
          await run(options, (beating) => engine.recognise({ ...request, windows: some }, { ...beating, onWindow }));
        }
      } finally {
        if (mine) next();
      }
    },
  };
}

function slices<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) => list.slice(at * length, (at + 1) * length));
}

/** Of audio in a batch. */
function seconds(windows: readonly Window[]): number {
  return windows.flatMap(({ spans }) => spans).reduce((sum, { start, end }) => sum + end - start, 0) / SAMPLE_RATE;
}
