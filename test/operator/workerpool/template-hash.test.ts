import test from "ava";
import { templateHash } from "../../../operator/workerpool/template-hash.ts";
import type { PodTemplate } from "../../../operator/workerpool/types.ts";

const rollout = {
  maxSurge: 1,
  maxUnavailable: 0,
  whenUnschedulable: "DrainOneIdle" as const,
  unschedulableSeconds: 60,
  progressDeadlineSeconds: 900,
  restartOnAnnotations: ["checksum/config"],
};
const hash = (template: PodTemplate) => templateHash({ template, rollout });
const spec = { containers: [{ name: "worker", image: "escriba:1", env: [{ name: "A", value: "1" }] }] };
const plain = hash({ spec });

test("ten characters that fit a label and a name, the same each time", (t) => {
  t.regex(plain, /^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  t.is(hash(structuredClone({ spec })), plain);
});

test("the order of keys is nothing, the order of a list is something", (t) => {
  const [container] = spec.containers;
  const turned = { env: container?.env, image: container?.image, name: container?.name };
  t.is(hash({ spec: { containers: [turned] } }), plain);
  const two = (...names: string[]) => hash({ spec: { containers: names.map((name) => ({ name })) } });
  t.not(two("a", "b"), two("b", "a"));
});

test("any field of the pod's spec changes it", (t) => {
  t.not(hash({ spec: { ...spec, nodeSelector: { gpu: "yes" } } }), plain);
  t.not(hash({ spec: { ...spec, aFieldOfTheNextKubernetes: [1] } }), plain);
});

test("named annotations change it; other annotations and labels do not", (t) => {
  t.is(hash({ metadata: { labels: { "helm.sh/chart": "escriba-2" } }, spec }), plain);
  t.is(hash({ metadata: { annotations: { "prometheus.io/scrape": "true" } }, spec }), plain);
  const first = hash({ metadata: { annotations: { "checksum/config": "1" } }, spec });
  t.not(first, plain);
  t.not(hash({ metadata: { annotations: { "checksum/config": "2" } }, spec }), first);
});
