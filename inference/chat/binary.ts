/** node-llama-cpp's packages of prebuilt binaries for the CPU, by Node's platform and architecture. */
const PACKAGES: Record<string, string> = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "linux-arm": "linux-armv7l",
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "win32-x64": "win-x64",
  "win32-arm64": "win-arm64",
};

/**
 * Why chat cannot work on this machine, as far as it shows without loading anything: npm leaves out the optional package
 * of a platform that there is none for.
 */
export function missingBinary(
  platform = `${process.platform}-${process.arch}`,
  installed: (name: string) => boolean = isInstalled,
): string | undefined {
  const name = PACKAGES[platform];
  if (name && installed(`@node-llama-cpp/${name}`)) return undefined;
  return name
    ? `node-llama-cpp's binary for ${platform} is not installed; \`npm ci\` with optional packages brings it`
    : `node-llama-cpp has no binary for ${platform}`;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
