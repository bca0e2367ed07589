import { createServer } from "node:net";

/** A port that the stack was told to use is taken. The message names the port and the setting that changes it. */
export class PortInUse extends Error {
  override name = "PortInUse";
}

/** Answers `wanted` when it is free on 127.0.0.1, or any free port for 0. Throws PortInUse. */
export async function choosePort(wanted: number, setting: string, user: string): Promise<number> {
  try {
    return await listenOnce(wanted);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new PortInUse(
        `port ${wanted} on 127.0.0.1, which ${user} needs, is in use by another program. ` +
          `Stop that program, or set ${setting} to another port (0 takes a free one).`,
      );
    }
    if (code === "EACCES") {
      throw new PortInUse(`port ${wanted} may not be opened by this user; set ${setting} to a port above 1023.`);
    }
    throw error;
  }
}

/** Any free port on 127.0.0.1. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}
