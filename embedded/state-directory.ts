import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The state directory cannot be made or written. The message says which and how to choose another. */
export class StateUnusable extends Error {
  override name = "StateUnusable";
}

/** Makes the directory with its parents and sees that it can be written. Throws StateUnusable. */
export async function makeStateDirectory(path: string): Promise<void> {
  try {
    await make(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StateUnusable(
      `the state directory ${path} cannot be used (${(error as Error).message}). ` +
        "Set ESCRIBA_STATE_DIR to a directory that this user may write.",
    );
  }
}

/** Level by level: Node's own recursive form never ends below /proc, where no directory can be made (Node 24.21). */
async function make(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found) throw new Error("it is a file");
  if (dirname(path) !== path) await make(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
