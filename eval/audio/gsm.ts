import { spawn } from "node:child_process";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { debianPackages } from "./debian.ts";

/** What GSM 06.10 full rate (13 kbit/s) leaves of 8 kHz speech. */
export async function throughGsm(samples: Int16Array, cache: string): Promise<Int16Array<ArrayBuffer>> {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return decodeGsm(await run("toast", bytes, cache), cache);
}

/** Frames of 33 bytes to 8 kHz samples. */
export async function decodeGsm(frames: Buffer, cache: string): Promise<Int16Array<ArrayBuffer>> {
  const samples = await run("untoast", frames, cache);
  return new Int16Array(Uint8Array.from(samples).buffer);
}

const LIBRARIES = { x64: "usr/lib/x86_64-linux-gnu", arm64: "usr/lib/aarch64-linux-gnu" } as Record<string, string>;

/** FFmpeg's builds decode GSM but seldom encode it, so both ways go through the reference coder's own programs. */
async function run(program: string, input: Buffer, cache: string): Promise<Buffer> {
  const [tools, library] = (await debianPackages(cache, ["libgsm-tools", "libgsm1"])) as [string, string];
  const libraries = join(library, LIBRARIES[process.arch] ?? "usr/lib");
  const child = spawn("env", [`LD_LIBRARY_PATH=${libraries}`, join(tools, "usr/bin", program), "-l"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {}); // its end says more
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [out, errors, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  if (code !== 0) throw new Error(`${program} failed: ${errors.toString("utf8").trim()}`);
  return out;
}
