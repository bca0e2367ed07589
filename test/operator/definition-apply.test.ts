import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";

const ESCRIBA = join(import.meta.dirname, "../../cli/escriba.ts");
const FILE = join(import.meta.dirname, "../../charts/escriba/crds/workerpools.escriba.dev.yaml");
const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/workerpools.escriba.dev";

interface Answer {
  status: number;
  body: object;
}

/**
 * `escriba crds apply` against a server that answers what it is told: what a real one does with the definition is
 * test/cluster's to show, but it cannot be made to refuse, or to serve late.
 */
async function applied(t: ExecutionContext, answers: Answer[]) {
  const calls: { method?: string | undefined; url?: string | undefined; type?: string | undefined; body: string }[] =
    [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    calls.push({ method, url, type: headers["content-type"], body: await text(request) });
    const answer = answers[Math.min(calls.length, answers.length) - 1] as Answer;
    response.statusCode = answer.status;
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const directory = await mkdtemp(join(tmpdir(), "escriba-crds-"));
  t.teardown(async () => {
    server.close();
    await rm(directory, { recursive: true });
  });
  const kubeconfig = join(directory, "config");
  // The client speaks plain HTTP only where it is told that nobody is to be authenticated.
  const cluster = {
    "insecure-skip-tls-verify": true,
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const config = {
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const ended = await new Promise<{ code: number; out: string; said: string }>((resolve) => {
    execFile(process.execPath, [ESCRIBA, "crds", "apply"], { env }, (error, out, said) =>
      resolve({ code: Number(error?.code ?? 0), out, said }),
    );
  });
  return { ...ended, calls };
}

const established = (status: string) => ({ status: { conditions: [{ type: "Established", status }] } });

test("the definition is sent as it is written, and waited for until it is served", async (t) => {
  const { code, out, said, calls } = await applied(t, [
    { status: 200, body: {} },
    { status: 200, body: {} },
    { status: 200, body: established("False") },
    { status: 200, body: established("True") },
  ]);
  t.is(code, 0, said);
  t.is(out, "applied workerpools.escriba.dev\n");
  t.deepEqual(
    calls.map(({ method }) => method),
    ["PATCH", "GET", "GET", "GET"],
  );
  t.is(calls[0]?.url, `${PATH}?fieldManager=escriba-crds&force=true`);
  t.is(calls[0]?.type, "application/apply-patch+yaml");
  t.is(calls[0]?.body, await readFile(FILE, "utf8"));
});

test("a refusal of the API server is said, and ends the command with 1", async (t) => {
  const { code, said } = await applied(t, [
    { status: 403, body: { message: "customresourcedefinitions is forbidden" } },
  ]);
  t.is(code, 1);
  t.regex(said, /refused \(403\): customresourcedefinitions is forbidden/);
});

test("names that another definition has are said", async (t) => {
  const conditions = [{ type: "NamesAccepted", status: "False", message: '"wp" is already in use' }];
  const { code, said } = await applied(t, [
    { status: 200, body: {} },
    { status: 200, body: { status: { conditions } } },
  ]);
  t.is(code, 1);
  t.regex(said, /workerpools\.escriba\.dev: "wp" is already in use/);
});
