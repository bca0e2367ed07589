import type { Device } from "../engine/sessions.ts";
import { loadMoonshine } from "../moonshine/model.ts";
import { Moonshine } from "../moonshine/moonshine.ts";
import { loadParakeet } from "../parakeet/model.ts";
import { Parakeet } from "../parakeet/parakeet.ts";
import type { Family } from "./family.ts";
import type { FastModel } from "./fast-models.ts";

interface Loading {
  threads: number;
  device?: Device | undefined;
}

const LOADERS: Record<FastModel, (directory: string, options: Loading) => Promise<Family>> = {
  "moonshine-tiny": async (directory, options) => new Moonshine(await loadMoonshine(directory, options)),
  "parakeet-tdt-0.6b-v3": async (directory, options) => new Parakeet(await loadParakeet(directory, options)),
};

/** Throws when a file of the model is missing. With it comes what its texts are judged by, which takes long to load too. */
export async function loadFamily(model: FastModel, directory: string, options: Loading): Promise<Family> {
  const [family] = await Promise.all([LOADERS[model](directory, options), import("./hear-fast.ts")]);
  return family;
}
