import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import test from "ava";

const RUN = join(import.meta.dirname, "../node/run.ts");

/** What `npm run test:node` answers where none of a cluster's programs has been made. */
async function run(t: { teardown(done: () => Promise<void>): void }, ...args: string[]) {
  const cache = await mkdtemp(join(tmpdir(), "escriba-node-tier-"));
  t.teardown(() => rm(cache, { recursive: true, force: true }));
  const env = { PATH: dirname(process.execPath), XDG_CACHE_HOME: cache };
  return promisify(execFile)(process.execPath, [RUN, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, out: stdout as string, err: stderr as string }),
  );
}

test("without what a node needs, its tests are skipped with a line that says how to get it", async (t) => {
  const { code, err } = await run(t);
  t.is(code, 0);
  t.regex(err, /^\n!!! SKIPPED: tests on a real node\. Missing:\n/);
  t.regex(err, /!!! {3}apt-get install --no-install-recommends .*buildah/);
  t.regex(err, /!!! {3}npm run cluster:build -- --node \(for etcd, .*kubelet/);
});

test("--required: what is missing is a failure", async (t) => {
  const { code, err } = await run(t, "--required");
  t.is(code, 1);
  t.regex(err, /^\n!!! FAILED: tests on a real node\. Missing:\n/);
});

test("--help says what will happen to the machine", async (t) => {
  const { code, out } = await run(t, "--help");
  t.is(code, 0);
  t.regex(out, /^Usage: npm run test:node/);
});
