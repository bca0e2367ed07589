import { enableCompileCache, getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { userCache } from "./user-cache.ts";

/**
 * Keeps the compiled code of this process and of its children in the user's cache: a decoding process then starts in
 * a quarter of the time, which counts when there is one a recording. Where nothing can be written nothing is kept.
 */
export function keepCompiledCode(environment: { XDG_CACHE_HOME?: string | undefined }): void {
  enableCompileCache(join(userCache(environment), "compiled"));
}

/** What a child's environment needs to share this process's compiled code; nothing when it keeps none. */
export function compiledCode(): { NODE_COMPILE_CACHE?: string } {
  const directory = getCompileCacheDir();
  // Node answers the directory of its own version, and makes it inside the one it is given.
  return directory ? { NODE_COMPILE_CACHE: dirname(directory) } : {};
}
