import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What the bench reads of a transcript object. */
export interface DemoTranscript {
  status: string;
  language: string;
  /** Seconds. */
  audio_duration: number;
  text: string;
  words: { text: string; start: number; end: number }[];
  utterances: { text: string; start: number; end: number }[];
}

/**
 * Runs the command behind `npm run demo -- FILE… --json` (without npm's own lines) on a stack of its own with a fresh
 * state directory, so that a running `npm start` is left alone. `onStart` is told the process id.
 */
export async function transcribeByDemo(files: string[], onStart?: (pid: number) => void): Promise<DemoTranscript[]> {
  const state = await mkdtemp(join(tmpdir(), "escriba-bench-"));
  try {
    // For root the stack runs PostgreSQL as another user, which must be able to pass through.
    await chmod(state, 0o755);
    const lines = await run(files, state, onStart);
    return lines.map((line) => JSON.parse(line));
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

function run(files: string[], state: string, onStart?: (pid: number) => void): Promise<string[]> {
  const script = fileURLToPath(new URL("../embedded/demo.ts", import.meta.url));
  return new Promise((resolve, reject) => {
    const demo = spawn(process.execPath, [script, ...files, "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ESCRIBA_STATE_DIR: state },
    });
    let [output, complaints] = ["", ""];
    demo.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    demo.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaints = (complaints + text).slice(-4_000);
    });
    demo.once("error", reject);
    demo.once("spawn", () => onStart?.(demo.pid as number));
    demo.once("close", (code) => {
      const lines = output.trim().split("\n").filter(Boolean);
      if (code === 0 && lines.length === files.length) resolve(lines);
      else reject(new Error(`npm run demo ended with ${code} and ${lines.length} transcripts:\n${complaints}`));
    });
  });
}
