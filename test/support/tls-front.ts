import { once } from "node:events";
import { connect, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import type { Authority } from "./certificate.ts";

export interface TlsFront {
  /** host:port. */
  address: string;
  /** `authorization` of every request that came through, and whether its client showed a certificate. */
  seen: { authorization: string | undefined; certified: boolean }[];
  stop(): Promise<void>;
}

export interface FrontOptions {
  authority: Authority;
  /** Of the server's certificate. */
  name: string;
  /** Whose certificates are wanted of clients; null: none. */
  clients: Authority | null;
  /** Paths of calls that are answered with PERMISSION_DENIED. */
  refuse?: (path: string) => boolean;
}

/**
 * A TLS end in front of a gRPC server that has none, as a mesh or a cloud has: the client's certificate is asked for
 * and checked, and everything else goes through as it is.
 */
export async function startTlsFront(
  target: string,
  { authority, name, clients, refuse = () => false }: FrontOptions,
): Promise<TlsFront> {
  const seen: TlsFront["seen"] = [];
  const behind = connect(`http://${target}`);
  behind.on("error", () => undefined);
  const server = createSecureServer({
    ...authority.issue([name]),
    ...(clients && { requestCert: true, rejectUnauthorized: true, ca: clients.cert }),
  });
  server.on("session", (session) => session.on("error", () => undefined));
  server.on("stream", (stream, headers) => {
    const socket = stream.session?.socket as { getPeerCertificate?: () => object } | undefined;
    const certified = Object.keys(socket?.getPeerCertificate?.() ?? {}).length > 0;
    seen.push({ authorization: headers.authorization, certified });
    if (refuse(String(headers[":path"]))) {
      const denied = { ":status": 200, "content-type": "application/grpc", "grpc-status": "7" };
      stream.respond(denied, { endStream: true });
    } else forward(stream, headers);
  });
  function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const request = behind.request({ ...headers, ":scheme": "http", ":authority": target });
    let trailers: IncomingHttpHeaders = {};
    request.on("response", ({ ":status": status, ...rest }, flags) => {
      const only = (flags & 1) === 1; // END_STREAM: gRPC's trailers alone
      stream.respond({ ":status": status, ...rest }, { endStream: only, waitForTrailers: !only });
      if (!only) request.pipe(stream);
    });
    request.on("trailers", (last) => {
      trailers = last;
    });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.pipe(request);
    const drop = () => {
      request.close();
      stream.close();
    };
    request.on("error", drop);
    stream.on("error", drop);
    stream.on("aborted", drop);
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      behind.destroy();
      server.close();
    },
  };
}
