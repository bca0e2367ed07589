import type { CallOptions, Engine } from "../../speech/engine/engine.ts";
import type { LanguageResult, PcmFile, Window, WindowResult } from "../../speech/types.ts";

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
    request: { pcm: PcmFile; windows: readonly Window[]; language: string; short: boolean },
    options: Required<CallOptions> & { onWindow: (result: WindowResult) => void },
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
  const everyone = (own: () => void) => () => {
    own();
    for (const turn of waiting) turn.onProgress();
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
  const inTurn = async <T>(short: boolean, options: Required<CallOptions>, call: () => Promise<T>): Promise<T> => {
    await take(short, options.onProgress, options.signal);
    try {
      return await call();
    } finally {
      give();
    }
  };
  return {
    batch,
    identify: (request, options) =>
      // A recording's first word from the engine: every chunk of it waits for this.
      inTurn(true, options, () => engine.identify(request, { ...options, onProgress: everyone(options.onProgress) })),
    recognise: ({ short, ...request }, options) =>
      inTurn(short, options, () => engine.recognise(request, { ...options, onProgress: everyone(options.onProgress) })),
  };
}
