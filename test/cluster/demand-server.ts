import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface QueueDemand {
  outstandingChunks: number;
  outstandingSeconds: number;
  waitingSince: string | null;
}

export interface OrganizationDemand {
  id: string;
  queues: Record<string, QueueDemand>;
  speechSlots: number;
}

/** What the API's demand endpoint may do instead of answering well. */
export type DemandFault = "down" | "late" | "wrong" | "stale" | "error" | "unversioned";

/** The API's `/internal/demand` in a test's hands; what the API itself serves is proven in test/api. */
export class DemandServer {
  organizations: OrganizationDemand[] = [];
  fault: DemandFault | null = null;
  /** Requests with the right token, and without. */
  asked = 0;
  refused = 0;
  readonly token: string;
  readonly #server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      this.refused += 1;
      response.writeHead(401).end();
      return;
    }
    this.asked += 1;
    this.#answer(response);
  });

  constructor(token: string) {
    this.token = token;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/internal/demand`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** So many chunks of one organization wait in a queue; each takes a slot of a pool of `Stage.manifest` its whole wait. */
  backlog(queue: string, chunks: number, organization = "a1"): void {
    const waitingSince = chunks > 0 ? new Date().toISOString() : null;
    const waiting = { outstandingChunks: chunks, outstandingSeconds: chunks * 300, waitingSince };
    this.organizations = [
      ...this.organizations.filter(({ id }) => id !== organization),
      { id: organization, queues: { [queue]: waiting }, speechSlots: 32 },
    ];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(response: ServerResponse): void {
    const observedAt = new Date(Date.now() - (this.fault === "stale" ? 60_000 : 0)).toISOString();
    const body = JSON.stringify({ version: 1, observedAt, organizations: this.organizations });
    switch (this.fault) {
      case "down":
        response.socket?.destroy();
        break;
      case "late":
        break; // the connection stays open, without an answer
      case "wrong":
        response.end(body.slice(0, -10));
        break;
      case "error":
        response.writeHead(500).end("no database");
        break;
      case "unversioned":
        response.end(JSON.stringify({ version: 99, observedAt, organizations: [] }));
        break;
      default:
        response.setHeader("Content-Type", "application/json").end(body);
    }
  }
}
