import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SERVICES } from "../cluster/flags.ts";

const run = promisify(execFile);

/** The node's address: not loopback, which an API server cannot publish and a pod cannot reach. */
export const NODE_ADDRESS = "10.99.0.1";
export const PODS = "10.244.0.0/24";
export const CNI_DIRECTORY = "cni";

/** An empty bridge carries the address: not every kernel has a driver for dummy interfaces. */
const BRIDGE = "node0";

/**
 * Opens the network of the namespace that this process is in, and writes the configuration of pods' interfaces below
 * `directory`. Pods reach each other, Services and the node; there is no way out of the namespace.
 */
export async function openNetwork(directory: string): Promise<void> {
  await run("ip", ["link", "set", "lo", "up"]);
  await run("ip", ["link", "add", BRIDGE, "type", "bridge"]);
  await run("ip", ["address", "add", `${NODE_ADDRESS}/32`, "dev", BRIDGE]);
  await run("ip", ["link", "set", BRIDGE, "up"]);
  // Without a default route, the node's own processes need one to Services.
  await run("ip", ["route", "add", SERVICES, "dev", BRIDGE, "src", NODE_ADDRESS]);
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
  // What goes from pod to pod over the bridge passes kube-proxy's rules too.
  await writeFile("/proc/sys/net/bridge/bridge-nf-call-iptables", "1");
  const bridge = {
    type: "bridge",
    bridge: "cni0",
    isGateway: true,
    hairpinMode: true,
    ipam: {
      type: "host-local",
      dataDir: join(directory, "addresses"),
      ranges: [[{ subnet: PODS }]],
      routes: [{ dst: "0.0.0.0/0" }],
    },
  };
  await mkdir(join(directory, CNI_DIRECTORY));
  const list = { cniVersion: "1.0.0", name: "pods", plugins: [bridge] };
  await writeFile(join(directory, CNI_DIRECTORY, "10-pods.conflist"), JSON.stringify(list));
}
