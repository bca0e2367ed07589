import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CONTROL_PLANE, clusterProgram, NODE } from "../cluster/programs.ts";

/** What Debian and Ubuntu have, by package. */
const PACKAGES: Record<string, readonly string[]> = {
  "util-linux": ["unshare", "setpriv", "mount"],
  iproute2: ["ip"],
  iptables: ["iptables"],
  runc: ["runc"],
  buildah: ["buildah"],
  debootstrap: ["debootstrap"],
};

/** Where distributions put the plugins of pods' networks. */
const CNI_PLACES = ["/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"];
const CNI_PLUGINS = ["bridge", "host-local", "loopback"];

export interface Requirements {
  /** What is missing, each with how to get it; empty when a node can be started. */
  missing: string[];
  programs: { runc: string; cniPlugins: string };
}

export function requirements(): Requirements {
  const missing: string[] = [];
  if (process.platform !== "linux") missing.push("Linux: a node is made of its namespaces");
  if (process.getuid?.() !== 0) missing.push("root: run it with sudo, or in a container with CAP_SYS_ADMIN");
  // What goes from pod to pod over a bridge must pass kube-proxy's rules.
  if (!existsSync("/proc/sys/net/bridge")) missing.push("modprobe br_netfilter");
  const absent = Object.keys(PACKAGES).filter((name) => !PACKAGES[name]?.every(onPath));
  const cniPlugins = CNI_PLACES.find((place) => CNI_PLUGINS.every((plugin) => existsSync(join(place, plugin))));
  if (!cniPlugins) absent.push("containernetworking-plugins");
  if (absent.length > 0) missing.push(`apt-get install --no-install-recommends ${absent.join(" ")}`);
  const unbuilt = [...CONTROL_PLANE.filter((name) => name !== "kwok"), ...NODE].filter((name) => !clusterProgram(name));
  if (unbuilt.length > 0) missing.push(`npm run cluster:build -- --node (for ${unbuilt.join(", ")})`);
  return { missing, programs: { runc: onPath("runc") ?? "", cniPlugins: cniPlugins ?? "" } };
}

/** The path of a program, also where root's PATH often does not lead. */
function onPath(name: string): string | undefined {
  const places = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return places
    .map((place) => join(place, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
