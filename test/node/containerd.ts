import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterProgram } from "../cluster/programs.ts";
import { Server } from "../cluster/server.ts";
import { CNI_DIRECTORY } from "./network.ts";

const run = promisify(execFile);

export interface Containerd {
  server: Server;
  /** `unix://…`, for the kubelet. */
  endpoint: string;
  /** Takes the images of an archive in. */
  load(archive: string): Promise<void>;
}

/** `cniPlugins`: where the distribution has them; `sandboxImage`: what holds a pod's namespaces open. */
export async function startContainerd(
  directory: string,
  options: { runc: string; cniPlugins: string; sandboxImage: string },
): Promise<Containerd> {
  const socket = join(directory, "containerd.sock");
  const config = join(directory, "containerd.toml");
  await writeFile(config, configuration(directory, socket, options));
  const ctr = (...args: string[]) => run(clusterProgram("ctr") ?? "ctr", ["-a", socket, "-n", "k8s.io", ...args]);
  const server = new Server("containerd", ["-c", config], directory, async () => {
    await ctr("version");
  });
  await server.start();
  return {
    server,
    endpoint: `unix://${socket}`,
    load: async (archive) => {
      await ctr("images", "import", "--platform", `linux/${goArchitecture()}`, archive);
    },
  };
}

const goArchitecture = () => (process.arch === "x64" ? "amd64" : process.arch);

const configuration = (
  directory: string,
  socket: string,
  { runc, cniPlugins, sandboxImage }: { runc: string; cniPlugins: string; sandboxImage: string },
) => `version = 3
root = '${join(directory, "containerd")}'
state = '${join(directory, "containerd-state")}'
[grpc]
  address = '${socket}'
[plugins]
  [plugins.'io.containerd.cri.v1.images']
    snapshotter = 'overlayfs'
    [plugins.'io.containerd.cri.v1.images'.pinned_images]
      sandbox = '${sandboxImage}'
  [plugins.'io.containerd.cri.v1.runtime']
    # A container that builds often lacks CAP_SYS_RESOURCE, without which no score can be lowered.
    restrict_oom_score_adj = true
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
      runtime_type = 'io.containerd.runc.v2'
      [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
        SystemdCgroup = false
        BinaryName = '${runc}'
    [plugins.'io.containerd.cri.v1.runtime'.cni]
      bin_dirs = ['${cniPlugins}']
      conf_dir = '${join(directory, CNI_DIRECTORY)}'
`;
