import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "../../../models/lock.ts";
import { userCache } from "../../../process/user-cache.ts";
import type { BuiltImage, Given } from "../given.ts";
import { containerfile, inDirectory, makeBaseImages } from "./base-images.ts";
import { type Buildah, openBuildah } from "./buildah.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** As docs/install.md has it. */
const PROJECT = "registry.example.com/escriba:0.1.0";
/** A week, in which a layer that was made once is found again. */
const KEPT_MS = 7 * 24 * 3_600_000;
const SANDBOX = "registry.example.com/sandbox:1";

/**
 * Builds the project's image from its own Dockerfile as docs/install.md says, but for the engine, and what else a node
 * needs. Layers are kept in the user's cache: what has not changed is not made again.
 */
export async function buildImages(say: (line: string) => void): Promise<Given["images"]> {
  const home = join(userCache(process.env), "node-images");
  await mkdir(home, { recursive: true });
  return withLock(join(home, ".lock"), { onWait: (holder) => say(`waiting for ${holder}`) }, async () => {
    const buildah = await openBuildah(home, say);
    await makeBaseImages(buildah, say);
    await inDirectory((context) => buildah.build({ name: SANDBOX, file: containerfile("sandbox"), context }));
    // A company's own authorities, for npm behind its mirror.
    const authorities = process.env.NODE_EXTRA_CA_CERTS;
    await buildah.build({
      name: PROJECT,
      file: join(ROOT, "Dockerfile"),
      context: ROOT,
      target: "cpu",
      ...(authorities && { secrets: { ca: authorities } }),
    });
    const images = {
      project: await archiveOf(buildah, home, "project", PROJECT),
      sandbox: await archiveOf(buildah, home, "sandbox", SANDBOX),
    };
    await buildah.prune(new Date(Date.now() - KEPT_MS));
    return images;
  });
}

/** Only the newest archive of an image is kept. */
async function archiveOf(buildah: Buildah, home: string, kind: string, name: string): Promise<BuiltImage> {
  const file = `${kind}-${(await buildah.idOf(name))?.slice(0, 12)}.tar`;
  const archive = join(home, file);
  if (!existsSync(archive)) {
    for (const old of await readdir(home)) if (old.startsWith(`${kind}-`)) await rm(join(home, old));
    const partial = `${archive}.partial`;
    await rm(partial, { force: true });
    await buildah.export(name, partial);
    await rename(partial, archive);
  }
  return { name, archive };
}
