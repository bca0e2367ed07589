import type { Evidence } from "../language/evidence.ts";
import type { FastModel } from "../recognition/fast-models.ts";
import type { Detection, PcmFile, Span, Window, WindowResult } from "../types.ts";
import type { Device } from "./sessions.ts";

/** What the parent asks of the child that owns a device. Samples never cross: the child reads the file itself. */
export type EngineRequest = { model: ModelSettings; pcm: PcmFile } & (
  | { task: "recognise"; windows: Window[]; language: string; detection?: Detection; vocabulary?: string[] }
  | { task: "identify"; windows: { spans: Span[] }[]; languages: string[] }
);

/** Loaded on the first call and kept; the same in every call of an engine but for `batch`. */
export interface ModelSettings {
  directory: string;
  /** A faster model for the languages it knows; absent: Whisper hears everything. */
  fast?: { model: FastModel; directory: string } | undefined;
  /** Where encoders run. */
  device?: Device | undefined;
  threads: number;
  batch: number;
}

/** Any message is a sign of life. */
export type EngineProgress = { window: WindowResult } | { alive: true };

export type EngineResponse = { windows: number } | { heard: Evidence[] };
