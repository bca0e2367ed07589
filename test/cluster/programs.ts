import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { userCache } from "../../process/user-cache.ts";

/** Who needs a program: every test of a control plane, or only those of a real node (`test/node/`) besides. */
export type Tier = "control plane" | "node";

/** Programs that are built together, from one go.mod and go.sum of their own under `build/`. */
export interface Recipe {
  tier: Tier;
  /** The folder under `build/`. */
  name: string;
  /** Whose version the programs have. */
  module: string;
  /** Program → its Go package. */
  packages: Record<string, string>;
  /** What the linker stamps into the programs, by Go variable. */
  stamp(version: string): Record<string, string>;
}

const component = "k8s.io/component-base/version";

/** Without its version an API server says v0.0.0, and a chart's `kubeVersion` refuses it. */
const kubernetesStamp = (version: string) => ({
  [`${component}.gitVersion`]: version,
  [`${component}.gitMajor`]: version.replace(/^v(\d+).*/, "$1"),
  [`${component}.gitMinor`]: version.replace(/^v\d+\.(\d+).*/, "$1"),
  [`${component}.gitTreeState`]: "clean",
});

/** In the order in which they are built: what is wanted most often first. */
export const RECIPES: readonly Recipe[] = [
  {
    tier: "control plane",
    name: "helm",
    module: "helm.sh/helm/v4",
    packages: { helm: "helm.sh/helm/v4/cmd/helm" },
    stamp: (version) => ({ "helm.sh/helm/v4/internal/version.version": version }),
  },
  {
    tier: "control plane",
    name: "etcd",
    module: "go.etcd.io/etcd/server/v3",
    packages: { etcd: "go.etcd.io/etcd/server/v3" },
    stamp: () => ({}),
  },
  {
    tier: "control plane",
    name: "kubernetes",
    module: "k8s.io/kubernetes",
    packages: {
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
      "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
    },
    stamp: kubernetesStamp,
  },
  {
    tier: "control plane",
    name: "kwok",
    module: "sigs.k8s.io/kwok",
    packages: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
    stamp: (version) => ({ "sigs.k8s.io/kwok/pkg/consts.Version": version }),
  },
  {
    // Apart from the control plane's, which stays as it is when these change. Same versions: the compiler's cache is shared.
    tier: "node",
    name: "kubernetes-node",
    module: "k8s.io/kubernetes",
    packages: { kubelet: "k8s.io/kubernetes/cmd/kubelet", "kube-proxy": "k8s.io/kubernetes/cmd/kube-proxy" },
    stamp: kubernetesStamp,
  },
  {
    tier: "node",
    name: "containerd",
    module: "github.com/containerd/containerd/v2",
    packages: {
      containerd: "github.com/containerd/containerd/v2/cmd/containerd",
      "containerd-shim-runc-v2": "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
      ctr: "github.com/containerd/containerd/v2/cmd/ctr",
    },
    stamp: (version) => ({ "github.com/containerd/containerd/v2/version.Version": version }),
  },
  {
    tier: "node",
    name: "coredns",
    module: "github.com/coredns/coredns",
    // A main package of ours with the few plugins that a cluster needs: half of the whole program's build is cloud SDKs.
    packages: { coredns: "escriba.dev/tools/coredns" },
    stamp: () => ({}),
  },
];

/** What a control plane with pretended nodes consists of, and what installs into it. */
export const CONTROL_PLANE = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubectl",
  "kwok",
  "helm",
] as const;

/** What a real node runs besides. runc, CNI plugins and iptables come from the distribution. */
export const NODE = ["kubelet", "kube-proxy", "containerd", "containerd-shim-runc-v2", "ctr", "coredns"] as const;

export interface Build {
  recipe: Recipe;
  /** e.g. `v1.36.3`, from its go.mod. */
  version: string;
  /** Where its go.mod is. */
  source: string;
  /** Where its programs are kept. */
  home: string;
}

interface Environment {
  XDG_CACHE_HOME?: string | undefined;
  KUBEBUILDER_ASSETS?: string | undefined;
}

/**
 * The directory of a recipe's programs, under the user's cache. It is named after the version and after everything else
 * that they are made from, so that another pin makes another directory. Throws when go.mod does not name the module.
 */
export function buildOf(recipe: Recipe, environment: Environment, sources = join(import.meta.dirname, "build")): Build {
  const source = join(sources, recipe.name);
  const files = ["go.mod", "go.sum"].map((file) => readFileSync(join(source, file), "utf8"));
  const version = new RegExp(`^\\s*(?:require )?${RegExp.escape(recipe.module)} (v\\S+)`, "m").exec(
    files[0] ?? "",
  )?.[1];
  if (!version) throw new Error(`${join(source, "go.mod")} requires no version of ${recipe.module}`);
  const own = globSync("*.go", { cwd: source }).sort();
  files.push(...own.map((file) => readFileSync(join(source, file), "utf8")));
  const digest = createHash("sha256").update(JSON.stringify([files, recipe.stamp(version)]));
  const directory = `${recipe.name}-${version}-${digest.digest("hex").slice(0, 12)}`;
  return { recipe, version, source, home: join(userCache(environment), "cluster", directory) };
}

/** The path of a program: in KUBEBUILDER_ASSETS if it is there, else in the cache. Null when it has to be built. */
export function clusterProgram(name: string, environment: Environment = process.env): string | null {
  const given = environment.KUBEBUILDER_ASSETS && join(environment.KUBEBUILDER_ASSETS, name);
  if (given && existsSync(given)) return given;
  const recipe = RECIPES.find(({ packages }) => Object.hasOwn(packages, name));
  if (!recipe) throw new Error(`no program of the cluster is called ${name}; there are ${programNames().join(", ")}`);
  const built = join(buildOf(recipe, environment).home, name);
  return existsSync(built) ? built : null;
}

/** Of a tier, or all. */
export function programNames(tier?: Tier): string[] {
  return RECIPES.filter((recipe) => !tier || recipe.tier === tier).flatMap(({ packages }) => Object.keys(packages));
}
