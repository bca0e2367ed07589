import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startSeaweedfs, type TestS3 } from "../support/seaweedfs.ts";
import { startTestTemporal, type TestTemporal } from "../support/temporal.ts";

/** What an installation has outside the cluster: PostgreSQL, Temporal and an object store, at an address of the node's. */
export interface Services {
  postgres: TestPostgres;
  temporal: TestTemporal;
  s3: TestS3;
  /** For pods. */
  databaseUrl: string;
  temporalAddress: string;
  storeUrl: string;
  stop(): Promise<void>;
}

/** Real ones, which listen on loopback, each with the same port at `address`. The database has no tables yet. */
export async function startServices(address: string): Promise<Services> {
  const parts = new AsyncDisposableStack();
  const keep = <T extends { stop(): Promise<void> }>(part: T): T => {
    parts.defer(() => part.stop());
    return part;
  };
  try {
    const postgres = keep(await startTestPostgres({ migrated: false }));
    const temporal = keep(await startTestTemporal());
    const s3 = keep(await startSeaweedfs());
    for (const url of [postgres.url, `tcp://${temporal.address}`, s3.endpoint]) {
      keep(await forward(address, Number(new URL(url).port)));
    }
    const at = (text: string) => text.replace("127.0.0.1", address);
    const all = parts.move();
    return {
      postgres,
      temporal,
      s3,
      databaseUrl: at(postgres.url),
      temporalAddress: at(temporal.address),
      storeUrl: `s3://${s3.bucket}?endpoint=${at(s3.endpoint)}&region=us-east-1`,
      stop: () => all.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Passes what comes to a port at `address` to the same port on loopback. */
async function forward(address: string, port: number): Promise<{ stop(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const target = createConnection({ host: "127.0.0.1", port, noDelay: true });
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(port, address);
  await once(server, "listening");
  return {
    stop: async () => {
      const closed = once(server.close(), "close");
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
