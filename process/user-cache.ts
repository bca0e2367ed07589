import { homedir } from "node:os";
import { join } from "node:path";

/** Where this user's fetched and made things are kept, `escriba` in the XDG cache directory. */
export function userCache(environment: { XDG_CACHE_HOME?: string | undefined }): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "escriba");
}
