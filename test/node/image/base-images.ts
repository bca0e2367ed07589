import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Buildah } from "./buildah.ts";

const run = promisify(execFile);

/** As the Dockerfile names them, so that it is built as it is. */
export const DEBIAN = "docker.io/library/debian:bookworm-slim";
const NODE = "docker.io/library/node:24-bookworm-slim";

const RELEASE = "bookworm";
const NPM = "npm@11.21.2";

/** Makes what the Dockerfile stands on from Debian's archive and npm's registry, where it is not there yet. */
export async function makeBaseImages(buildah: Buildah, say: (line: string) => void): Promise<void> {
  if (!(await buildah.idOf(DEBIAN))) {
    say("debootstrap is making Debian");
    await inDirectory(async (context) => {
      const rootfs = join(context, "rootfs");
      await run("debootstrap", ["--variant=minbase", RELEASE, rootfs], { maxBuffer: 2 ** 26 });
      for (const rest of ["var/cache/apt/archives", "var/lib/apt/lists"]) {
        await rm(join(rootfs, rest), { recursive: true, force: true });
      }
      await run("tar", ["-C", rootfs, "--numeric-owner", "-cf", join(context, "rootfs.tar"), "."]);
      await rm(rootfs, { recursive: true, force: true });
      await buildah.build({ name: DEBIAN, file: containerfile("debian"), context });
    });
  }
  if (!(await buildah.idOf(NODE))) {
    await inDirectory(async (context) => {
      await copyFile(process.execPath, join(context, "node"));
      const { stdout } = await run("npm", ["pack", "--silent", NPM], { cwd: context });
      await rename(join(context, stdout.trim()), join(context, "npm.tgz"));
      await buildah.build({ name: NODE, file: containerfile("node"), context });
    });
  }
}

export const containerfile = (name: string) => join(import.meta.dirname, `${name}.Containerfile`);

/** With a temporary directory that is removed afterwards. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-image-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
