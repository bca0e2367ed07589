import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HubFile {
  bytes: Buffer;
  /** Large files are kept apart: the hub's answer is a redirect to another origin and carries their sha256. */
  large?: boolean;
  /** Announced instead of the true digest. */
  digest?: string | null;
}

/** A small hub: the layout, headers and redirects of the real one, over real sockets. */
export class HubServer {
  readonly files = new Map<string, HubFile>();
  /** `path range` of every request for contents, in order. */
  readonly requests: string[] = [];
  /** Cuts the connection after this many bytes of each answer, as often as `cuts` says. */
  cutAfter = 0;
  cuts = 0;
  readonly #hubServer = createServer((request, response) => this.#hub(request, response));
  readonly #storageServer = createServer((request, response) => this.#storage(request, response));

  async start(): Promise<string> {
    for (const server of [this.#hubServer, this.#storageServer])
      await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
    return originOf(this.#hubServer);
  }

  async stop(): Promise<void> {
    for (const server of [this.#hubServer, this.#storageServer]) {
      await new Promise((down) => {
        server.close(down);
        server.closeAllConnections();
      });
    }
  }

  #hub(request: IncomingMessage, response: ServerResponse): void {
    const file = this.files.get(request.url ?? "");
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const quoted = (digest: string): { etag?: string } =>
      file.digest === null ? {} : { etag: `"${file.digest ?? digest}"` };
    if (!file.large) {
      const blob = createHash("sha1").update(`blob ${file.bytes.length}\0`).update(file.bytes).digest("hex");
      this.#send(request, response, file.bytes, quoted(blob));
      return;
    }
    const { etag } = quoted(createHash("sha256").update(file.bytes).digest("hex"));
    response.writeHead(302, {
      location: `${originOf(this.#storageServer)}${request.url}`,
      ...(etag && { "x-linked-etag": etag }),
    });
    response.end();
  }

  #storage(request: IncomingMessage, response: ServerResponse): void {
    const file = this.files.get(request.url ?? "");
    // Storage has digests of its own that say nothing about the contents.
    if (file) this.#send(request, response, file.bytes, { etag: `"${"0".repeat(64)}"` });
    else response.writeHead(404).end();
  }

  #send(request: IncomingMessage, response: ServerResponse, bytes: Buffer, headers: { etag?: string }): void {
    this.requests.push(`${request.url?.split("/").at(-1)} ${request.headers.range ?? "whole"}`);
    const start = Number(request.headers.range?.match(/^bytes=(\d+)-$/)?.[1] ?? 0);
    if (start > 0 && start >= bytes.length) {
      response.writeHead(416, headers).end();
      return;
    }
    const rest = bytes.subarray(start);
    const range = start > 0 ? { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {};
    response.writeHead(start > 0 ? 206 : 200, { ...headers, ...range, "content-length": rest.length });
    if (this.cuts === 0) {
      response.end(rest);
      return;
    }
    this.cuts--;
    response.write(rest.subarray(0, this.cutAfter), () => setTimeout(() => response.destroy(), 50));
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
