import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What decides about decoding, the plan, the language, the words and the voices of a recording. */
const HEARING = [
  "speech/prepare.ts",
  "speech/voice-activity/detectors.ts",
  "speech/engine/engine.ts",
  "workflows/activities/prepare.ts",
  "workflows/activities/identify.ts",
  "workflows/activities/recognise.ts",
  "models/catalogue.ts",
];

/** What decides about everything else. */
const ALL = [...HEARING, "workflows/transcribe.ts", "workflows/activities/attributed.ts"];
const ALL_STEPS = ["media", "speech", "language", "database"].map((queue) => `workflows/activities/${queue}.ts`);

/** Rooms that are followed; a metric's name or a log line changes no transcript. */
const FOLLOWED = /^(speech|models|understanding|workflows\/activities)\//;

/** Packages whose release may change a result. */
const PACKAGES = ["onnxruntime-node", "@huggingface/tokenizers", "node-av"];

export interface CodeVersion {
  /** Of what hears a recording: with the same one, its windows need not be heard again. */
  hearing: string;
  /** Of all that makes a transcript. */
  all: string;
}

/** Fingerprints of the code that makes transcripts, over the files that the steps reach by their imports. */
export async function codeVersion(root = ROOT): Promise<CodeVersion> {
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const packages = PACKAGES.map((name) => `${name}@${dependencies[name]}`).join("\n");
  const of = async (entries: readonly string[]) => {
    const hash = createHash("sha256").update(packages);
    for (const file of await reachable(root, entries)) {
      hash.update(`\n${file}\n`).update(await readFile(join(root, file)));
    }
    return hash.digest("hex").slice(0, 12);
  };
  return { hearing: await of(HEARING), all: await of([...ALL, ...ALL_STEPS]) };
}

/** Imports, exports from, dynamic imports and child processes; a type leaves nothing at run time. */
const REFERENCES = [
  /^(?:import|export)\s(?!type\b)[^"';]*?from\s+"(\.[^"]+)"/gm,
  /\bimport\(\s*"(\.[^"]+)"\s*\)/g,
  /new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url/g,
];

/** The entries and what they reach inside the followed rooms, relative to `root`, sorted. */
export async function reachable(root: string, entries: readonly string[]): Promise<string[]> {
  const found = new Set(entries);
  for (const file of found) {
    const source = await readFile(join(root, file), "utf8");
    for (const reference of REFERENCES) {
      for (const [, path] of source.matchAll(reference)) {
        const target = relative(root, normalize(join(root, dirname(file), path as string)));
        if (FOLLOWED.test(target)) found.add(target);
      }
    }
  }
  return [...found].sort();
}
