import { BlockList } from "node:net";
import { clusterTest } from "../cluster/tier.ts";
import { type KubernetesObject, podsOf, render, valuesOf } from "./rendered.ts";

const test = clusterTest(["helm"]);

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: object;
  podSelector?: { matchLabels?: Record<string, string> };
}
interface Rule {
  to?: Peer[];
  from?: Peer[];
  ports?: { port: number; protocol: string }[];
}

function policiesOf(objects: KubernetesObject[]): Record<string, { egress: Rule[]; ingress: Rule[] }> {
  return Object.fromEntries(
    objects
      .filter(({ kind }) => kind === "NetworkPolicy")
      .map(({ spec }) => [
        spec.podSelector.matchLabels["app.kubernetes.io/component"] ?? "",
        { egress: spec.egress ?? [], ingress: spec.ingress ?? [] },
      ]),
  );
}

/** Whether a rule lets an address through, on a port. */
function allows(rule: Rule, address: string, port: number): boolean {
  if (rule.ports && !rule.ports.some((one) => one.port === port)) return false;
  return (rule.to ?? []).some(({ ipBlock }) => {
    if (!ipBlock) return false;
    return within(ipBlock.cidr, address) && !(ipBlock.except ?? []).some((cidr) => within(cidr, address));
  });
}

function within(cidr: string, address: string): boolean {
  const [network = "", length] = cidr.split("/");
  const family = network.includes(":") ? "ipv6" : "ipv4";
  if (address.includes(":") !== (family === "ipv6")) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(length), family);
  return list.check(address, family);
}

const INSIDE = [
  ["the cloud's metadata", "169.254.169.254"],
  ["a private network", "10.0.0.1"],
  ["another", "172.20.1.1"],
  ["a third", "192.168.1.1"],
  ["a carrier's network", "100.64.0.1"],
  ["the node itself", "127.0.0.1"],
  ["the metadata's IPv6 address", "fd00:ec2::254"],
  ["a link-local address", "fe80::1"],
  ["IPv4 written as IPv6", "::ffff:169.254.169.254"],
] as const;

test("no pod but the operator's reaches an address inside, on any port", async (t) => {
  const policies = policiesOf(await render({ values: { inference: { enabled: true }, mail: { enabled: true } } }));
  const open: string[] = [];
  for (const [component, { egress }] of Object.entries(policies)) {
    for (const [what, address] of INSIDE) {
      for (const port of [80, 443, 5432, 6443, 7233, 8080]) {
        if (egress.some((rule) => allows(rule, address, port))) open.push(`${component}: ${what}, ${address}:${port}`);
      }
    }
  }
  // Of the Kubernetes API nobody knows the address beforehand; it listens on these two ports.
  t.deepEqual([...new Set(open.map((line) => line.split(":")[0]))].sort(), ["crds", "operator"]);
  t.deepEqual(
    open.filter((line) => /metadata|link-local|:(80|5432|7233|8080)$/.test(line) && !/fd00/.test(line)),
    [],
  );
});

test("fetch and webhooks reach the internet, speech and media only what keeps objects and models", async (t) => {
  const policies = policiesOf(await render());
  const reaches = (component: string, port: number) =>
    policies[component]?.egress.some((rule) => allows(rule, "93.184.215.14", port)) ?? false;
  for (const component of ["fetch", "webhooks"]) {
    for (const port of [80, 443, 8443]) t.true(reaches(component, port), `${component} ${port}`);
  }
  for (const component of ["speech", "media", "api", "language", "transcripts"])
    t.false(reaches(component, 8443), component);
  t.false(reaches("operator", 80));
  t.false(reaches("migrate", 443));
  t.true(reaches("speech", 443), "S3 and the hub");
  const offline = policiesOf(
    await render({ values: { modelCache: { type: "claim", prefetch: "never" }, networkPolicy: { objectStore: [] } } }),
  );
  t.false(offline.speech?.egress.some((rule) => allows(rule, "93.184.215.14", 443)));
});

test("what is named is reached: a network of receivers, a managed database, a store on a port of its own", async (t) => {
  const values = {
    webhooks: { networks: ["10.1.0.0/16"] },
    objectStore: { url: "s3://audio?endpoint=http://10.9.0.9:9000" },
    temporal: { address: "10.8.0.8:17233" },
    networkPolicy: {
      database: [{ ipBlock: { cidr: "10.7.0.7/32" } }],
      objectStore: [{ ipBlock: { cidr: "10.9.0.9/32" } }],
      temporal: [{ ipBlock: { cidr: "10.8.0.8/32" } }],
    },
  };
  const policies = policiesOf(await render({ values }));
  const reaches = (component: string, address: string, port: number) =>
    policies[component]?.egress.some((rule) => allows(rule, address, port)) ?? false;
  t.true(reaches("webhooks", "10.1.2.3", 9999));
  t.false(reaches("fetch", "10.1.2.3", 9999));
  t.true(reaches("api", "10.7.0.7", 5432));
  t.false(reaches("speech", "10.7.0.7", 5432), "no database from the speech pods");
  t.true(reaches("speech", "10.9.0.9", 9000));
  t.true(reaches("media", "10.8.0.8", 17233));
  t.false(reaches("api", "10.8.0.8", 17233), "the API asks Temporal nothing");
});

test("every pod is under a policy of its own, and all of them under one that denies", async (t) => {
  for (const name of ["default", "laptop", "production"]) {
    const objects = await render({ files: valuesOf(name) });
    const policies = policiesOf(objects);
    t.deepEqual(policies[""], { egress: [], ingress: [] });
    for (const { component, of } of podsOf(objects)) t.truthy(policies[component], of);
  }
});

test("clients reach the API's port alone, and only from where they may", async (t) => {
  const from = [{ namespaceSelector: { matchLabels: { name: "ingress" } } }];
  const policies = policiesOf(await render({ values: { networkPolicy: { apiFrom: from, metricsFrom: from } } }));
  const ofPort = (port: number) => policies.api?.ingress.find((rule) => rule.ports?.[0]?.port === port);
  t.deepEqual(ofPort(8080)?.from, from);
  const metrics = ofPort(9464)?.from ?? [];
  t.is(metrics.length, 2);
  t.is(
    metrics[1]?.podSelector?.matchLabels?.["app.kubernetes.io/component"],
    "operator",
    "the operator asks for demand",
  );
  t.deepEqual(policies.migrate?.ingress, []);
});
