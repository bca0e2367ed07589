import { Child, ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import { decideLanguage } from "../language/decision.ts";
import { LANGUAGES, languageToken, UNDETERMINED } from "../languages.ts";
import type { Detection, LanguageResult, PcmFile, Window, WindowResult } from "../types.ts";
import type { EngineProgress, EngineRequest, EngineResponse, ModelSettings } from "./protocol.ts";
import { Voices } from "./voices.ts";

export interface EngineOptions {
  /** Directory of a complete `whisper-base` (docs/architecture.md, "Models"). */
  modelDir: string;
  /** Directory of the speaker encoder, `campplus`. Without it windows come without voiceprints. */
  speakerDir?: string | undefined;
  /** A faster model for the languages it knows, and its directory. */
  fast?: ModelSettings["fast"];
  /** Where encoders run; this machine's cores when absent. */
  device?: ModelSettings["device"];
  /** Cores one inference may use. */
  threads: number;
  /** Windows decoded side by side; two are at most 60 s of audio, which is what a kill may cost. */
  batch?: number;
  /** Milliseconds without a sign of life, after which the child is killed. Loading the model counts. */
  silenceMs?: number;
  /** Environment of the child; it needs none. */
  env?: Record<string, string | undefined>;
  onStderr?: (line: string) => void;
}

export interface CallOptions {
  /** Called on every sign of life: a worker's heartbeat. */
  onProgress?: () => void;
  /** Aborting kills the child, because native code cannot be interrupted; the next call starts a new one. */
  signal?: AbortSignal;
}

/** `voices` are the window's voiceprints in their stored form; undefined where voices are not told apart. */
export type OnWindow = (result: WindowResult, voices?: Uint8Array) => void;

/** Recognition on one device, in a process of its own, and voices in another. Calls queue behind each other. */
export interface Engine {
  /**
   * Which of the allowed languages is spoken. Rejects as `recognise` does, and with a ChildFailure of the kind
   * `LanguagesUnavailable` when the model cannot tell.
   * @param windows of the whole plan, or a sample of them; a few are heard.
   * @param allowed ISO 639-1 codes; all of the catalogue when absent.
   * @param hints narrow `allowed` down, unless none of them is allowed.
   */
  identify(
    request: { pcm: PcmFile; windows: readonly Window[]; allowed?: readonly string[]; hints?: readonly string[] },
    options?: CallOptions,
  ): Promise<LanguageResult>;
  /**
   * Text and word times of windows, decoded in the order given, `batch` at a time. Rejects with UnsupportedLanguage,
   * ChildCrashed (repeat it), ChildFailure (the work itself is wrong) or the signal's reason. Windows already reported
   * stand. `vocabulary` is what the caller expects to hear (`custom_vocabulary`), as it is to be written. With a
   * `detection` (of `identify`) each window is asked for its own language; without one all are in `language`.
   */
  recognise(
    request: {
      pcm: PcmFile;
      windows: readonly Window[];
      language: string;
      detection?: Detection | undefined;
      vocabulary?: readonly string[] | undefined;
    },
    options: CallOptions & { onWindow: OnWindow },
  ): Promise<void>;
  /** Process id of the child once one runs. */
  readonly pid: number | undefined;
  /** Lets queued calls finish, then ends the child. */
  close(): Promise<void>;
}

export function createEngine({
  modelDir,
  speakerDir,
  fast,
  device,
  threads,
  batch = 2,
  silenceMs = 60_000,
  env = {},
  onStderr,
}: EngineOptions): Engine {
  const child = new Child<EngineRequest, EngineProgress, EngineResponse>(new URL("./child.ts", import.meta.url), {
    silenceMs,
    env,
    onStderr,
  });
  const voices = speakerDir === undefined ? undefined : new Voices({ directory: speakerDir, silenceMs, env, onStderr });
  let width = batch;
  const model = () => ({ directory: modelDir, fast, device, threads, batch: width });
  return {
    async identify({ pcm, windows, allowed = LANGUAGES, hints = [] }, { onProgress, signal } = {}) {
      const hinted = hints.filter((language) => allowed.includes(language));
      const languages = hinted.length > 0 ? hinted : [...allowed];
      for (const language of languages) languageToken(language);
      if (windows.length === 0) return { language: hints[0] ?? UNDETERMINED, confidence: 0, warnings: [] };
      if (languages.length === 1) return { language: languages[0] as string, confidence: 1, warnings: [] };
      const response = await child.call(
        { task: "identify", model: model(), pcm, windows: windows.map(({ spans }) => ({ spans })), languages },
        { onProgress: () => onProgress?.(), signal },
      );
      if (!("heard" in response)) throw new Error("the engine answered no languages");
      return decideLanguage(response.heard, languages);
    },

    async recognise({ pcm, windows, language, detection, vocabulary }, { onWindow, onProgress, signal }) {
      languageToken(language);
      if (windows.length === 0) return;
      // Ends the voices when the words fail; a window counts as heard when it has both.
      const ended = new AbortController();
      const voicesOf = voices?.hear(pcm, windows, {
        onProgress,
        signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
      });
      const both: Promise<void>[] = [];
      const report = async (window: WindowResult) => {
        const heard = await voicesOf?.(window.index);
        if (!ended.signal.aborted && !signal?.aborted) onWindow(window, heard);
      };
      try {
        await child.call(
          {
            task: "recognise",
            model: model(),
            pcm,
            windows: [...windows],
            language,
            ...(detection && { detection }),
            ...(vocabulary && { vocabulary: [...vocabulary] }),
          },
          {
            signal,
            onProgress: (progress) => {
              if ("window" in progress) {
                const reported = report(progress.window);
                reported.catch(() => undefined); // thrown below
                both.push(reported);
              }
              onProgress?.();
            },
          },
        );
        await Promise.all(both);
        signal?.throwIfAborted();
      } catch (error) {
        ended.abort();
        const full = error instanceof ChildFailure && error.kind === "OutOfMemory";
        // Memory is the likeliest cause of a crash, and a batch is what takes it: be content with half from now on.
        if (full || error instanceof ChildCrashed) width = Math.max(1, width >> 1);
        if (!full) throw error;
        // What it holds by now stays taken: only a new process gives it back.
        await child.rest();
        throw new ChildCrashed("ran out of memory", error.message);
      }
    },

    get pid() {
      return child.pid;
    },

    async close() {
      await Promise.all([child.close(), voices?.close()]);
    },
  };
}
