import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Buildah {
  /** The id of an image; null when there is none of that name. */
  idOf(name: string): Promise<string | null>;
  build(image: {
    name: string;
    /** Path of the Dockerfile. */
    file: string;
    /** Directory that it copies from. */
    context: string;
    target?: string;
    /** File that a step may read, by the id that it asks for. */
    secrets?: Record<string, string>;
  }): Promise<void>;
  /** Writes an image into an archive in Docker's form, whose layers are not compressed: it is read once, on this machine. */
  export(name: string, archive: string): Promise<void>;
  /** Removes what builds left that were made before that moment. */
  prune(before: Date): Promise<void>;
}

/** As `buildah images --json` says it. */
interface Listed {
  id: string;
  names?: string[] | null;
  /** ISO 8601. */
  createdatraw: string;
}

/** Builds without an engine and without a registry. Images and layers are kept in `home`; `say` hears each step. */
export async function openBuildah(home: string, say: (line: string) => void): Promise<Buildah> {
  await mkdir(home, { recursive: true });
  const store = ["--root", join(home, "store"), "--runroot", join(home, "run"), "--storage-driver", "overlay"];
  const run = async (args: string[], hear?: (line: string) => void): Promise<string> => {
    const child = spawn("buildah", [...store, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const tail: string[] = [];
    const lines = createInterface({ input: child.stderr });
    lines.on("line", (line) => {
      tail.push(line);
      tail.splice(0, tail.length - 40);
    });
    const out = createInterface({ input: child.stdout });
    const said: string[] = [];
    out.on("line", (line) => {
      said.push(line);
      tail.push(line);
      tail.splice(0, tail.length - 40);
      if (/^(\[\d+\/\d+\] )?STEP /.test(line)) hear?.(line);
    });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`buildah ${args[0]} failed:\n${tail.join("\n")}`);
    return said.join("\n");
  };
  return {
    idOf: async (name) => {
      const images = JSON.parse(await run(["images", "--json"])) as Listed[];
      return images.find(({ names }) => names?.includes(name))?.id ?? null;
    },
    build: async ({ name, file, context, target, secrets = {} }) => {
      const of = Object.entries(secrets).flatMap(([id, path]) => ["--secret", `id=${id},src=${path}`]);
      const stage = target ? ["--target", target] : [];
      const how = ["--isolation", "chroot", "--pull-never", "--layers", "--format", "oci"];
      await run(["bud", ...how, ...stage, ...of, "-t", name, "-f", file, context], say);
    },
    export: async (name, archive) => {
      await run(["push", "--quiet", name, `docker-archive:${archive}:${name}`]);
    },
    prune: async (before) => {
      const images = JSON.parse(await run(["images", "--all", "--json"])) as Listed[];
      const old = images.filter(({ names, createdatraw }) => !names?.length && new Date(createdatraw) < before);
      // What something newer stands on is refused, and stays.
      for (const { id } of old) await run(["rmi", id]).catch(() => undefined);
    },
  };
}
