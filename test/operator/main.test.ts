import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { startOperatorRole } from "../../operator/main.ts";
import { SettingsError } from "../../process/settings.ts";

/** As much of an API server as an operator without pools sees. The real one is met in test/cluster/. */
function emptyCluster() {
  let lease: { metadata: { resourceVersion?: string }; spec: { holderIdentity?: string } } | undefined;
  let version = 1;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://server");
    const answer = (status: number, value: object) => response.writeHead(status).end(JSON.stringify(value));
    if (!pathname.includes("/leases")) {
      if (searchParams.has("watch")) response.writeHead(200).flushHeaders();
      else answer(200, { metadata: { resourceVersion: "1" }, items: [] });
      return;
    }
    if (request.method === "GET" && !lease) return answer(404, { kind: "Status", reason: "NotFound" });
    if (request.method !== "GET") {
      lease = JSON.parse(body) as NonNullable<typeof lease>;
      lease.metadata.resourceVersion = String(++version);
    }
    return answer(200, lease as object);
  });
  return { server, holder: () => lease?.spec.holderIdentity };
}

test("the role leads, says how it is, and gives the lease back at its end", async (t) => {
  const { server, holder } = emptyCluster();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const directory = await mkdtemp(join(tmpdir(), "operator-"));
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = join(directory, "kubeconfig");
  const config = {
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: url, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const role = await startOperatorRole({
    KUBECONFIG: kubeconfig,
    ESCRIBA_METRICS_PORT: "0",
    ESCRIBA_LOG_LEVEL: "silent",
    ESCRIBA_OPERATOR_IDENTITY: "pod-1",
  });
  const get = async (path: string) => {
    const response = await fetch(new URL(path, role.ready.metricsUrl));
    return [response.status, await response.text()] as const;
  };
  while (!(await get("/metrics"))[1].includes('escriba_operator_leader{process="operator"} 1')) await sleep(20);
  while ((await get("/readyz"))[0] !== 200) await sleep(20);
  t.deepEqual(await get("/livez"), [200, "ok\n"]);
  t.deepEqual(await get("/decisions"), [200, '{"decisions":[]}\n']);
  t.regex((await get("/metrics"))[1], /escriba_operator_api_calls_total\{verb="create",resource="leases",code="200"/);
  t.regex(holder() ?? "", /^pod-1_[0-9a-f]{8}$/);
  await role.stop();
  await role.ended;
  t.is(holder(), undefined);
});

test("a kubeconfig that cannot be used is said so, with the setting's name", async (t) => {
  const start = (path: string) => startOperatorRole({ KUBECONFIG: path, ESCRIBA_LOG_LEVEL: "silent" });
  await t.throwsAsync(start("/nowhere"), { instanceOf: SettingsError, message: /KUBECONFIG: .*\/nowhere/ });
  const directory = await mkdtemp(join(tmpdir(), "operator-"));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "empty"), "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\n");
  await t.throwsAsync(start(join(directory, "empty")), { instanceOf: SettingsError, message: /KUBECONFIG/ });
});
