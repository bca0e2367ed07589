import { spawn } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Build } from "../programs.ts";

const SAY_EVERY_MS = 15_000;
const TAIL_LINES = 30;

/** The program could not be made; the message says what to do, or quotes the end of what Go said. */
export class BuildFailed extends Error {
  override name = "BuildFailed";
}

/**
 * Makes one program from the Go module proxy (or the mirror that GOPROXY names) and puts it, whole, into the build's
 * home. Static, without cgo, so that no C compiler is needed. What Go has fetched and compiled stays in its own caches:
 * a build that was ended carries on. Rejects with BuildFailed.
 */
export async function compile(build: Build, program: string, say: (line: string) => void): Promise<string> {
  const { recipe, version, source, home } = build;
  const stamps = Object.entries(recipe.stamp(version)).map(([variable, value]) => `-X ${variable}=${value}`);
  await mkdir(home, { recursive: true });
  const partial = join(home, `.${program}.partial`);
  const args = [
    ...["build", "-v", "-trimpath", "-buildvcs=false", "-mod=readonly"],
    ...["-ldflags", ["-s -w", ...stamps].join(" "), "-o", partial, recipe.packages[program] ?? ""],
  ];
  try {
    await runGo(args, source, say);
    const made = join(home, program);
    await rename(partial, made);
    return made;
  } finally {
    await rm(partial, { force: true });
  }
}

async function runGo(args: string[], cwd: string, say: (line: string) => void): Promise<void> {
  const child = spawn("go", args, {
    cwd,
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let [fetched, compiled] = [0, 0];
  const tail: string[] = [];
  const started = performance.now();
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    say(`${fetched} modules fetched, ${compiled} packages compiled, ${seconds} s`);
  }, SAY_EVERY_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      // With -v Go says each package that it compiles; what was compiled before is not said.
      createInterface({ input: child.stderr }).on("line", (line) => {
        if (line.startsWith("go: downloading ")) fetched += 1;
        else if (/^[\w.~-]+(\/[\w.~-]+)*$/.test(line)) compiled += 1;
        else tail.push(line);
        tail.splice(0, tail.length - TAIL_LINES);
      });
      child.once("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? goIsMissing() : error));
      child.once("close", (code, signal) => {
        if (code === 0) resolve();
        else reject(new BuildFailed(`go ${signal ? `was ended by ${signal}` : "failed"}:\n${tail.join("\n")}`));
      });
    });
  } finally {
    clearInterval(progress);
  }
}

function goIsMissing(): BuildFailed {
  return new BuildFailed(
    "Go is missing: put Go 1.26 or newer on PATH (https://go.dev/dl/), " +
      "or let KUBEBUILDER_ASSETS name a directory that holds the programs",
  );
}
