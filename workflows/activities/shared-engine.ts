import type { CallOptions, Engine, OnWindow } from "../../speech/engine/engine.ts";
import type { Detection, LanguageResult, PcmFile, Window } from "../../speech/types.ts";

/**
 * The one engine of a process, shared by the steps that hold its slots: one call at a time, calls of short recordings
 * first. A call that waits its turn is alive as long as the call before it makes progress, so both get the heartbeat.
 */
export interface SharedEngine {
  /** Windows the engine decodes side by side. */
  readonly batch: number;
  identify(
    request: { pcm: PcmFile; windows: readonly Window[]; hints: readonly string[] },
    options: Required<CallOptions>,
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
    options: Required<CallOptions> & { onWindow: OnWindow },
  ): Promise<void>;
}

interface Turn {
  short: boolean;
  onProgress: () => void;
  start: () => void;
}

export function shareEngine(engine: Engine, batch: number): SharedEngine {
  const waiting: Turn[] = [];
  let busy = false;
  const call = async <T>(options: Required<CallOptions>, run: (options: CallOptions) => Promise<T>): Promise<T> => {
    const beat = () => {
      options.onProgress();
      for (const turn of waiting) turn.onProgress();
    };
    // A child that loads its model cannot speak; its own watchdog ends it when it stays silent too long.
    const loading = setInterval(beat, LOADING_BEAT_MS);
    const onProgress = () => {
      clearInterval(loading);
      beat();
    };
    try {
      return await run({ signal: options.signal, onProgress });
    } finally {
      clearInterval(loading);
    }
  };
  const take = async (short: boolean, onProgress: () => void, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (!busy) {
      busy = true;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn: Turn = { short, onProgress, start: resolve };
    waiting.push(turn);
    const leave = () => {
      const place = waiting.indexOf(turn);
      if (place >= 0) waiting.splice(place, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", leave));
  };
  const give = () => {
    const next = waiting.findIndex((turn) => turn.short);
    const [turn] = waiting.splice(Math.max(0, next), 1);
    if (turn) turn.start();
    else busy = false;
  };
  const inTurn = async <T>(
    short: boolean,
    options: Required<CallOptions>,
    run: (options: CallOptions) => Promise<T>,
  ): Promise<T> => {
    await take(short, options.onProgress, options.signal);
    try {
      return await call(options, run);
    } finally {
      give();
    }
  };
  return {
    batch,
    // A recording's first question to the engine: all of its chunks wait for the answer.
    identify: (request, options) => inTurn(true, options, (beating) => engine.identify(request, beating)),
    recognise: ({ short, ...request }, { onWindow, ...options }) =>
      inTurn(short, options, (beating) => engine.recognise(request, { ...beating, onWindow })),
  };
}

const LOADING_BEAT_MS = 5_000;
