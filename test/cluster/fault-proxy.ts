import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ControlPlane } from "./control-plane.ts";

/** A request to the API server, as faults choose by it. */
export interface ApiCall {
  method: string;
  /** Without the query, e.g. `/api/v1/namespaces/default/pods`. */
  path: string;
  /** The last plural in the path, with its subresource: `pods`, `workerpools/status`, `leases`. */
  resource: string;
  watch: boolean;
  /** A read of a whole collection that is no watch. */
  list: boolean;
}

/**
 * What goes wrong with a call. `status`: refused without asking the API server. `gone`: a watch is told that its
 * version is too old. `truncated`: the answer ends in the middle of a line. `silent`: no byte comes, and the connection
 * stays. `frozen`: a watch that goes on for ever and says nothing. `unanswered`: the API server does it, and the answer
 * is lost; `held`: it does it, and the answer never comes. `stale`: a list is answered as it was when the fault was made.
 */
export type Fault =
  | { kind: "status"; code: 409 | 410 | 429 | 500; reason: string }
  | { kind: "gone" | "truncated" | "silent" | "frozen" | "unanswered" | "held" | "stale" };

export interface Rule {
  on: (call: ApiCall) => boolean;
  fault: Fault;
  /** How many calls it meets before it is used up; without end by default. */
  times?: number;
}

/** In front of a real API server: everything passes as it is, but what a rule spoils. */
export class FaultProxy {
  readonly #plane: Pick<ControlPlane, "url" | "authority" | "identity">;
  readonly #server;
  #rules: { rule: Rule; left: number; lists: ReadonlyMap<string, Buffer> }[] = [];
  /** The last answer to each list, by its address. */
  readonly #lists = new Map<string, Buffer>();
  /** Every call so far. */
  readonly calls: ApiCall[] = [];
  /** How often a fault was met. */
  met = 0;

  constructor(plane: Pick<ControlPlane, "url" | "authority" | "identity">) {
    this.#plane = plane;
    this.#server = createServer({ key: plane.identity.key, cert: plane.identity.cert }, (request, response) => {
      void this.#handle(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  add(rule: Rule): void {
    this.#rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY, lists: new Map(this.#lists) });
  }

  /** No more faults; what is frozen or silent is cut. */
  heal(): void {
    this.#rules = [];
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = callOf(request);
    this.calls.push(call);
    const body = await buffer(request);
    const spoilt = this.#ruleFor(call);
    const fault = spoilt?.rule.fault;
    if (fault) this.met += 1;
    switch (fault?.kind) {
      case "silent":
        return;
      case "frozen":
        response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
        return;
      case "status":
        refuse(response, fault.code, fault.reason);
        return;
      case "gone":
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(`${JSON.stringify({ type: "ERROR", object: status(410, "Expired") })}\n`);
        return;
      case "stale": {
        const kept = spoilt?.lists.get(request.url ?? "");
        if (!kept) break;
        response.writeHead(200, { "Content-Type": "application/json" }).end(kept);
        return;
      }
    }
    const answer = await this.#forward(request, body, response);
    if (fault?.kind === "unanswered") {
      await buffer(answer);
      response.destroy();
      return;
    }
    if (fault?.kind === "held") {
      answer.resume();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault?.kind === "truncated") {
      answer.once("data", (piece: Buffer) => {
        answer.destroy();
        response.write(piece.subarray(0, Math.ceil(piece.length / 2)), () => response.destroy());
      });
      return;
    }
    answer.on("error", () => response.destroy());
    if (call.list) {
      const whole = await buffer(answer);
      this.#lists.set(request.url ?? "", whole);
      response.end(whole);
    } else {
      response.flushHeaders();
      answer.pipe(response);
    }
  }

  #ruleFor(call: ApiCall) {
    const found = this.#rules.find(({ rule, left }) => left > 0 && rule.on(call));
    if (found) found.left -= 1;
    return found;
  }

  #forward(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      // Uncompressed, so that half an answer is half of its lines.
      const { "accept-encoding": _, host: __, ...headers } = request.headers;
      const options = { method: request.method ?? "GET", headers, ca: this.#plane.authority };
      const onward = httpsRequest(new URL(request.url ?? "", this.#plane.url), options, resolve);
      onward.once("error", reject);
      response.once("close", () => onward.destroy());
      onward.end(body);
    });
  }
}

function callOf(request: IncomingMessage): ApiCall {
  const { pathname, searchParams } = new URL(request.url ?? "", "https://api");
  const method = request.method ?? "GET";
  const parts = pathname.split("/").filter(Boolean);
  // /api/v1/… or /apis/group/version/…, then perhaps namespaces/name, then the plural, a name, a subresource.
  const rest = parts.slice(parts[0] === "api" ? 2 : 3);
  const [plural = "", name, subresource] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  const watch = /^(true|1)$/.test(searchParams.get("watch") ?? "");
  return {
    method,
    path: pathname,
    resource: subresource ? `${plural}/${subresource}` : plural,
    watch,
    list: method === "GET" && !watch && name === undefined,
  };
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  const headers = { "Content-Type": "application/json", ...(code === 429 && { "Retry-After": "1" }) };
  response.writeHead(code, headers).end(JSON.stringify(status(code, reason)));
}

function status(code: number, reason: string): object {
  const message = `made by the fault proxy: ${reason}`;
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
}
