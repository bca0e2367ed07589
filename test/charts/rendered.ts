import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadYaml } from "@kubernetes/client-node";
import { clusterProgram } from "../cluster/programs.ts";

const run = promisify(execFile);

export const CHART = join(import.meta.dirname, "../../charts/escriba");
export const EXAMPLES = ["laptop", "minimal", "production"] as const;
/** The file of an example's values; none for the chart's own. */
export const valuesOf = (name: string) => (name === "default" ? [] : [join(CHART, "examples", `${name}.yaml`)]);

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: any kind of object comes out of a chart
  [field: string]: any;
}

/** Runs helm and answers what it printed. Rejects with what it complained of. */
export async function helm(...args: string[]): Promise<string> {
  const program = clusterProgram("helm");
  if (!program) throw new Error("helm is not built: npm run cluster:build");
  // Nothing of this machine's own set-up.
  const home = await mkdtemp(join(tmpdir(), "escriba-helm-"));
  try {
    const env = { HOME: home, PATH: process.env.PATH, KUBECONFIG: join(home, "none") };
    const { stdout } = await run(program, args, { env, maxBuffer: 64 * 2 ** 20 });
    return stdout;
  } catch (error) {
    const { stderr, stdout, message } = error as { stderr?: string; stdout?: string; message: string };
    throw new Error(`${stderr || message}\n${stdout ?? ""}`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

export interface RenderOptions {
  /** Value files, later over earlier. */
  files?: string[];
  /** Values over the files. */
  values?: object;
  /** Release name; escriba. */
  name?: string;
  /** Renders as an upgrade. */
  upgrade?: boolean;
}

/** The objects that an installation makes, hooks and CRDs too. */
export async function render({
  files = [],
  values,
  name = "escriba",
  upgrade,
}: RenderOptions = {}): Promise<KubernetesObject[]> {
  return parse(await renderText({ files, ...(values && { values }), name, ...(upgrade && { upgrade }) }));
}

export async function renderText({ files = [], values, name = "escriba", upgrade }: RenderOptions): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-values-"));
  try {
    const own = join(directory, "values.json");
    await writeFile(own, JSON.stringify(values ?? {}));
    return await helm(
      ...["template", name, CHART, "--namespace", "calls", "--include-crds", "--kube-version", "1.36.0"],
      ...(upgrade ? ["--is-upgrade"] : []),
      ...[...files, own].flatMap((file) => ["--values", file]),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The client's loader forms an object after its own types: `from` becomes `_from`, and fields it does not know are
 * gone. As the value of a key, a document stays as it is written.
 */
export function parse(text: string): KubernetesObject[] {
  return text.split(/^---$/m).flatMap((document) => {
    const { object } = loadYaml<{ object: KubernetesObject | null }>(`object:\n${document.replace(/^/gm, "  ")}`);
    return object ?? [];
  });
}

/** What stands behind an object's name in messages. */
export const called = ({ kind, metadata }: KubernetesObject) => `${kind}/${metadata.name}`;

export interface Pod {
  /** e.g. `Deployment/escriba-api`. */
  of: string;
  component: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a pod's spec
  spec: any;
}

/** Every pod that the objects lead to: of Deployments, Jobs, WorkerPools and by themselves. */
export function podsOf(objects: KubernetesObject[]): Pod[] {
  return objects.flatMap((object) => {
    const template = object.kind === "Pod" ? object : object.spec?.template;
    if (!template?.spec?.containers) return [];
    const labels: Record<string, string> = template.metadata?.labels ?? {};
    return {
      of: called(object),
      component: labels["app.kubernetes.io/component"] ?? "",
      labels,
      annotations: template.metadata?.annotations ?? {},
      spec: template.spec,
    };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a pod's container
export function containersOf(pod: Pod): any[] {
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
}
