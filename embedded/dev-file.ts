import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as z from "zod";

/** What a program on this machine needs to use the running stack. The file is there exactly while the stack runs. */
const DevFile = z.object({ base_url: z.string(), api_key: z.string(), metrics_url: z.string() });
export type DevFile = z.output<typeof DevFile>;

export async function writeDevFile(path: string, content: DevFile): Promise<void> {
  await writeFile(`${path}.tmp`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

export async function removeDevFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** The stack that the file speaks of, when it answers with that key; else undefined. */
export async function runningStack(path: string): Promise<DevFile | undefined> {
  try {
    const content = DevFile.parse(JSON.parse(await readFile(path, "utf8")));
    const response = await fetch(`${content.base_url}/v1/me`, {
      headers: { Authorization: `Bearer ${content.api_key}` },
      signal: AbortSignal.timeout(5_000),
    });
    await response.body?.cancel();
    return response.ok ? content : undefined;
  } catch {
    return undefined;
  }
}
