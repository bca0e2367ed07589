import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { buildOf, clusterProgram, programNames, RECIPES } from "./programs.ts";

const BUILD = join(import.meta.dirname, "build", "build.ts");

async function directory(t: { teardown(done: () => Promise<void>): void }): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "escriba-programs-"));
  t.teardown(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** What `npm run cluster:build` answers, with nothing on PATH but Node. */
async function build(args: string[], env: Record<string, string>): Promise<{ code: number; out: string; err: string }> {
  const options = { env: { PATH: dirname(process.execPath), ...env } };
  return promisify(execFile)(process.execPath, [BUILD, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );
}

test("every program has a version of its own go.mod, and a place named after it", (t) => {
  const versions = RECIPES.map((recipe) => buildOf(recipe, { XDG_CACHE_HOME: "/cache" }));
  for (const { recipe, version, home } of versions) {
    t.regex(version, /^v\d+\.\d+\.\d+$/);
    t.regex(home, new RegExp(`^/cache/escriba/cluster/${recipe.name}-${RegExp.escape(version)}-[0-9a-f]{12}$`));
  }
});

test("a changed pin is another place; a go.mod without the module is an error that names the file", async (t) => {
  const sources = await directory(t);
  const recipe = {
    tier: "node" as const,
    name: "tiny",
    module: "example.com/tiny",
    packages: { tiny: "example.com/tiny" },
    stamp: () => ({}),
  };
  await mkdir(join(sources, "tiny"));
  const homeWith = async (mod: string, sum: string) => {
    await writeFile(join(sources, "tiny", "go.mod"), mod);
    await writeFile(join(sources, "tiny", "go.sum"), sum);
    return buildOf(recipe, { XDG_CACHE_HOME: "/cache" }, sources).home;
  };
  const one = await homeWith("module tools\nrequire example.com/tiny v1.0.0\n", "a");
  t.not(await homeWith("module tools\nrequire example.com/tiny v1.0.1\n", "a"), one);
  t.not(await homeWith("module tools\nrequire example.com/tiny v1.0.0\n", "b"), one);
  await t.throwsAsync(homeWith("module tools\n", "a"), { message: /tiny\/go\.mod requires no version of example/ });
});

test("KUBEBUILDER_ASSETS wins, program by program; then the cache; else it is missing", async (t) => {
  const [assets, cache] = [await directory(t), await directory(t)];
  const environment = { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: cache };
  t.is(clusterProgram("etcd", environment), null);
  const [recipe] = RECIPES.filter(({ packages }) => "etcd" in packages);
  const { home } = buildOf(recipe as (typeof RECIPES)[number], environment);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "etcd"), "");
  t.is(clusterProgram("etcd", environment), join(home, "etcd"));
  await writeFile(join(assets, "etcd"), "");
  t.is(clusterProgram("etcd", environment), join(assets, "etcd"));
  t.throws(() => clusterProgram("kubeadm", environment), { message: /no program of the cluster is called kubeadm/ });
});

test("without Go, the build says what to do, and leaves no lock behind", async (t) => {
  const cache = await directory(t);
  for (const _ of [1, 2]) {
    const { code, err } = await build(["helm"], { XDG_CACHE_HOME: cache });
    t.is(code, 1);
    t.regex(err, /Go is missing: put Go 1\.\d+ or newer on PATH .* or let KUBEBUILDER_ASSETS name a directory/);
  }
});

test("nothing is built that is there, and --where says where", async (t) => {
  const assets = await directory(t);
  for (const name of programNames()) await writeFile(join(assets, name), "");
  const env = { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: await directory(t) };
  const present = (name: string) => new RegExp(`: ${name} v[\\d.]+: is there: ${assets}/${name}\n`);
  const all = await build(["--node"], env);
  t.is(all.code, 0);
  for (const name of programNames()) t.regex(all.err, present(name));
  const { err } = await build([], env);
  for (const name of programNames("control plane")) t.regex(err, present(name));
  for (const name of programNames("node")) t.notRegex(err, present(name), "a node is asked for");
  const where = await build(["--where", "kwok"], env);
  t.deepEqual([where.code, where.out], [0, `${join(assets, "kwok")}\n`]);
});

test("a program that nobody knows, and one that is missing, are said", async (t) => {
  const env = { XDG_CACHE_HOME: await directory(t) };
  const unknown = await build(["kubeadm"], env);
  t.deepEqual([unknown.code, /no program is called kubeadm; there are helm, etcd, /.test(unknown.err)], [2, true]);
  t.is((await build(["--wher"], env)).code, 2);
  const missing = await build(["--where", "helm"], env);
  t.deepEqual([missing.code, missing.out], [1, ""]);
  t.regex(missing.err, /helm is missing; run `npm run cluster:build`/);
  t.regex((await build(["--help"], env)).out, /^Usage: npm run cluster:build/);
});
