import { fileURLToPath } from "node:url";
import { createDiskStore } from "./disk-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { createS3Store, type S3Settings } from "./s3-store.ts";

export type StoreSettings = { kind: "disk"; directory: string } | { kind: "s3"; settings: S3Settings };

/** The store that an ESCRIBA_OBJECT_STORE value names. Throws as `readStore` does. */
export function openStore(value: string): ObjectStore {
  const store = readStore(value);
  return store.kind === "disk" ? createDiskStore(store.directory) : createS3Store(store.settings);
}

/**
 * What an ESCRIBA_OBJECT_STORE value says: `file:///directory`, or
 * `s3://bucket/prefix?endpoint=URL&region=NAME&path_style=false`. A store other than AWS is asked by path unless
 * `path_style` says otherwise. Credentials for S3 come from the SDK's own chain (environment, shared
 * file, instance or pod role), or from the URL's user and password for a private store.
 * Throws TypeError, saying what a right value looks like.
 */
export function readStore(value: string): StoreSettings {
  const url = URL.parse(value);
  if (url?.protocol === "file:") {
    if (url.pathname === "/" || url.host !== "") throw notAStore(value);
    return { kind: "disk", directory: fileURLToPath(url) };
  }
  if (url?.protocol === "s3:") {
    const unknown = [...url.searchParams.keys()].filter((name) => !["endpoint", "region", "path_style"].includes(name));
    const endpoint = url.searchParams.get("endpoint") ?? undefined;
    const endpointIsUsable = !endpoint || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? "");
    const pathStyle = url.searchParams.get("path_style");
    const pathStyleIsUsable = pathStyle === null || pathStyle === "true" || pathStyle === "false";
    if (!url.hostname || unknown.length || !endpointIsUsable || !pathStyleIsUsable) throw notAStore(value);
    const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
    const settings = {
      bucket: url.hostname,
      prefix: prefix && `${decodeURIComponent(prefix)}/`,
      endpoint,
      region: url.searchParams.get("region") ?? "us-east-1",
      pathStyle: pathStyle === null ? undefined : pathStyle === "true",
      credentials: url.username
        ? { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
        : undefined,
    };
    return { kind: "s3", settings };
  }
  throw notAStore(value);
}

function notAStore(value: string): TypeError {
  // A password in the value must not reach a log.
  const shown = value.replace(/\/\/[^@/]*@/, "//…@");
  return new TypeError(
    `${JSON.stringify(shown)} names no object store: write file:///directory ` +
      "or s3://bucket/prefix?endpoint=URL&region=NAME",
  );
}
