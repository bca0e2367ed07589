import type { RequestOptions } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { Clock } from "../clock.ts";

/** Where the API server is and how to be let in. */
export interface Connection {
  /** Without a path of a resource, e.g. `https://10.0.0.1:443`. */
  server: string;
  /** `fresh` reads certificates and tokens again: the server did not accept what it was shown. */
  credentials(fresh?: boolean): Promise<{ headers: Record<string, string>; dispatcher: Dispatcher }>;
  close(): Promise<void>;
}

/** Service account tokens are changed on disk long before they end; client-go looks once a minute too. */
const READ_AGAIN_MS = 30_000;
const CONNECT_MS = 5_000;
/** Below the idle time-outs of usual load balancers (60 s), and of nodes that forget connections. */
const KEEP_ALIVE_MS = 30_000;

/** From a kubeconfig file (`path`), or, without one, as the client's own rules find it: KUBECONFIG, ~/.kube, the pod. */
export function loadKubeConfig(path: string): KubeConfig {
  const config = new KubeConfig();
  if (path) config.loadFromFile(path);
  else config.loadFromDefault();
  return config;
}

/**
 * The client's KubeConfig knows every way to be authenticated; the connections are ours, since version 2.0 of the
 * client opens a new one, with its TLS handshake, for each request.
 */
export function connect(config: KubeConfig, clock: Clock): Connection {
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error("the kubeconfig's current context names no cluster");
  let read: { at: number; headers: Record<string, string>; dispatcher: Dispatcher } | undefined;
  let open: { key: string; dispatcher: Dispatcher } | undefined;

  const dispatcherOf = (options: RequestOptions): Dispatcher => {
    const tls = {
      ca: options.ca,
      cert: options.cert,
      key: options.key,
      rejectUnauthorized: options.rejectUnauthorized,
      servername: (options as { servername?: string }).servername,
    };
    const key = JSON.stringify(Object.entries(tls).map(([name, value]) => [name, String(value)]));
    if (open?.key === key) return open.dispatcher;
    // Certificates have changed: what runs on the old connections may end there.
    open?.dispatcher.close().catch(() => undefined);
    const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
    open = { key, dispatcher: newDispatcher(cluster.proxyUrl, given) };
    return open.dispatcher;
  };

  return {
    server: cluster.server.replace(/\/+$/, ""),
    async credentials(fresh = false) {
      if (read && !fresh && clock.monotonic() - read.at < READ_AGAIN_MS) return read;
      const options: RequestOptions = {};
      await config.applyToHTTPSOptions(options);
      const headers = Object.fromEntries(
        Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
      );
      if (options.auth) headers.authorization = `Basic ${Buffer.from(options.auth).toString("base64")}`;
      read = { at: clock.monotonic(), headers, dispatcher: dispatcherOf(options) };
      return read;
    },
    close: async () => {
      await open?.dispatcher.destroy();
    },
  };
}

function newDispatcher(proxy: string | undefined, tls: object): Dispatcher {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy) return new ProxyAgent({ ...options, uri: proxy, requestTls: tls });
  return new Agent({ ...options, connect: { ...tls, timeout: CONNECT_MS, keepAliveInitialDelay: KEEP_ALIVE_MS } });
}
