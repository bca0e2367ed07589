import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import test from "ava";
import { childrenOf, finalTranscript, makeStateDir, run, type Service, startService } from "./service.ts";

const call = join(import.meta.dirname, "../../embedded/sample/call.ogg");

let stateDir: string;
let service: Service;

test.before(async () => {
  stateDir = await makeStateDir();
  service = await startService(stateDir);
});

test.after.always(async () => {
  await service?.stop();
});

async function post(): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([await readFile(call)]), "call.ogg");
  const file = await service.call("POST", "/v1/files", form);
  const created = await service.call("POST", "/v1/transcripts", { file_id: (file.body as { id: string }).id });
  if (created.status !== 202) throw new Error(JSON.stringify(created));
  return (created.body as { id: string }).id;
}

async function balance(): Promise<number> {
  const { body } = await service.call("GET", "/v1/balance");
  return (body as { balance_eur: number }).balance_eur;
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

function taken(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve({ server, port: typeof address === "object" && address ? address.port : 0 });
    });
  });
}

test.serial("it prints and writes down base URL, key and metrics, and a curl line that works", async (t) => {
  const { stdout } = service.script;
  for (const text of [service.baseUrl, service.key, service.metricsUrl]) t.true(stdout.includes(text), stdout);
  t.regex(service.key, /^sk_live_[0-9A-Za-z]{32}$/);
  const metrics = await fetch(service.metricsUrl);
  t.is(metrics.status, 200);
  t.regex(await metrics.text(), /nodejs_eventloop_lag/);

  const line = stdout.split("\n").find((text) => text.includes("curl -s"));
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  const answer = await promisify(execFile)("sh", ["-c", line?.trim() ?? ""], {
    cwd: join(import.meta.dirname, "../.."),
  });
  t.is(JSON.parse(answer.stdout).status, "queued");
  t.is((await finalTranscript(service, JSON.parse(answer.stdout).id)).status, "completed");
});

test.serial("doc_url of an error leads to the code's section, and the reference is there", async (t) => {
  const refused = (await (await fetch(`${service.baseUrl}/v1/me`)).json()) as { error: { doc_url: string } };
  const { doc_url: url } = refused.error;
  t.is(new URL(url).origin, service.baseUrl);
  const page = await fetch(url);
  t.is(page.status, 200);
  t.true((await page.text()).includes(`id="${url.split("#")[1]}"`));
  t.is((await fetch(`${service.baseUrl}/docs`)).status, 200);
});

test.serial("a second stack in the same directory is told which process and file are in the way", async (t) => {
  const { code, stderr } = await run("start", stateDir);
  t.is(code, 1);
  t.true(stderr.includes(`process ${service.script.process.pid}`), stderr);
  t.true(stderr.includes(join(stateDir, "stack.lock")), stderr);
  t.is((await service.call("GET", "/v1/me")).status, 200, "the first one is not disturbed");
});

test.serial("a port in the way is named with the setting that changes it", async (t) => {
  const { server, port } = await taken();
  const other = await makeStateDir();
  for (const setting of ["ESCRIBA_API_PORT", "ESCRIBA_METRICS_PORT", "ESCRIBA_INFERENCE_PORT"]) {
    const { code, stderr } = await run("start", other, [], { [setting]: String(port) });
    t.is(code, 1);
    t.regex(stderr, new RegExp(`port ${port} on 127.0.0.1.*is in use.*set ${setting}`, "s"));
    t.notRegex(stderr, /\n {4}at /);
  }
  server.close();
});

test.serial("a state directory that cannot be made is named with its setting", async (t) => {
  const file = join(await makeStateDir(), "notes.txt");
  await writeFile(file, "mine");
  for (const [path, reason] of [
    [file, /it is a file/],
    [join(file, "state"), /it is a file/],
    ["/proc/escriba/state", /ENOENT|EACCES|EROFS/],
  ] as const) {
    const { code, stderr } = await run("start", path);
    t.is(code, 1);
    t.true(stderr.includes(`the state directory ${path} cannot be used`), stderr);
    t.regex(stderr, reason);
    t.regex(stderr, /set ESCRIBA_STATE_DIR/i);
  }
});

test.serial("settings that are not usable are refused with their names", async (t) => {
  const { code, stderr } = await run("start", await makeStateDir(), [], { ESCRIBA_API_PORT: "eighty" });
  t.is(code, 1);
  t.regex(stderr, /ESCRIBA_API_PORT/);
  const help = await run("start", stateDir, ["--help"]);
  t.is(help.code, 0);
  t.regex(help.stdout, /ESCRIBA_STATE_DIR/);
});

test.serial("kill -9 of the API after the POST: it comes back on its port and the transcript completes", async (t) => {
  const before = await balance();
  const id = await post();
  process.kill((await childrenOf(stateDir)).api ?? 0, "SIGKILL");
  const transcript = await finalTranscript(service, id);
  t.is(transcript.status, "completed");
  t.is(Math.round((before - (await balance())) * 1e6), 6_500);
});

test.serial("kill -9 of both workers in mid-work: the transcript completes and is charged once", async (t) => {
  const before = await balance();
  const undisturbed = await finalTranscript(service, await post());
  const id = await post();
  for (;;) {
    const { body } = await service.call("GET", `/v1/transcripts/${id}`);
    if ((body as { status: string }).status === "processing") break;
  }
  const children = await childrenOf(stateDir);
  process.kill(children["speech-worker"] ?? 0, "SIGKILL");
  process.kill(children.worker ?? 0, "SIGKILL");
  const transcript = await finalTranscript(service, id);
  t.is(transcript.status, "completed");
  t.is(transcript.text, undisturbed.text);
  t.is(Math.round((before - (await balance())) * 1e6), 13_000);
});

test.serial("Ctrl-C and a new start keep key, transcripts and balance; unfinished work is finished", async (t) => {
  const done = await post();
  const text = (await finalTranscript(service, done)).text;
  const before = await balance();
  const unfinished = await post();
  const children = Object.values(await childrenOf(stateDir));
  const { code, stderr } = await service.stop();
  t.is(code, 0, stderr);
  t.deepEqual(children.filter(alive), [], "nothing is left running");
  await t.throwsAsync(readFile(join(stateDir, "dev.json")));

  const { key } = service;
  service = await startService(stateDir);
  t.is(service.key, key);
  t.is((await finalTranscript(service, done)).text, text);
  t.is((await finalTranscript(service, unfinished)).status, "completed");
  t.is(Math.round((before - (await balance())) * 1e6), 6_500);
});

test.serial(
  "kill -9 of the whole stack: the next start ends what was left, with its data and unfinished work",
  async (t) => {
    const unfinished = await post();
    const children = await childrenOf(stateDir);
    service.script.process.kill("SIGKILL");
    await service.script.finished;

    const { key } = service;
    service = await startService(stateDir);
    t.deepEqual(Object.values(children).filter(alive), []);
    t.is(service.key, key);
    t.is((await finalTranscript(service, unfinished)).status, "completed");
  },
);
