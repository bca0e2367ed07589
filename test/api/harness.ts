import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readConfig } from "../../api/config.ts";
import { type RunningApi, startApi } from "../../api/server.ts";
import type { ApiParts } from "../../api/services.ts";
import { addCredit } from "../../billing/credit.ts";
import { createLog } from "../../process/log.ts";
import { createApiKey, type Scope } from "../../storage/api-keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { openStore } from "../../storage/open-store.ts";
import { createOrganization, type NewOrganization } from "../../storage/organizations.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { expectDocumented } from "./contract.ts";

/** Collects log lines, to be searched for what must not be in them. */
class Lines {
  text = "";
  write(line: string): void {
    this.text += line;
  }
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface Tenant {
  organizationId: string;
  slug: string;
  key: string;
  keyId: string;
  /** Every reply is checked against what its route documents. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

export interface CallOptions {
  json?: unknown;
  body?: FormData | string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Null: no Authorization header. */
  key?: string | null;
}

export interface Harness {
  api: RunningApi;
  postgres: TestPostgres;
  objects: ObjectStore;
  objectsDir: string;
  scratchDir: string;
  log: Lines;
  /** Moved forward by tests; only the key cache goes by it. */
  clock: { now: number };
  tenant(options?: Partial<NewOrganization> & TenantOptions): Promise<Tenant>;
  stop(): Promise<void>;
}

export interface TenantOptions {
  credit?: string;
  scopes?: Scope[];
  ipAllowlist?: string[];
}

/** The API on free ports over a PostgreSQL and a disk store of its own. */
export async function startHarness(
  env: Record<string, string> = {},
  parts: Pick<ApiParts, "upstream"> = {},
): Promise<Harness> {
  const postgres = await startTestPostgres();
  const directory = await mkdtemp(join(tmpdir(), "escriba-api-"));
  const objectsDir = join(directory, "objects");
  const scratchDir = await mkdtemp(join(directory, "scratch-"));
  const store = pathToFileURL(objectsDir).href;
  const objects = openStore(store);
  const lines = new Lines();
  const clock = { now: Date.now() };
  const settings = readConfig({
    ESCRIBA_DATABASE_URL: postgres.url,
    ESCRIBA_OBJECT_STORE: store,
    ESCRIBA_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    ESCRIBA_API_PORT: "0",
    ESCRIBA_METRICS_PORT: "0",
    ESCRIBA_SCRATCH_DIR: scratchDir,
    ESCRIBA_GRACE_SECONDS: "20",
    ...env,
  });
  const api = await startApi(settings, {
    database: postgres.db,
    objects,
    log: createLog("api", "info", lines),
    clock: () => clock.now,
    ...parts,
  });
  let closed: Promise<void> | undefined;
  return {
    // A test may close it itself; it is closed once.
    api: {
      ...api,
      close: () => {
        closed ??= api.close();
        return closed;
      },
    },
    postgres,
    objects,
    objectsDir,
    scratchDir,
    log: lines,
    clock,
    async tenant({ credit = "100", scopes, ipAllowlist, ...organization } = {}) {
      const slug = `org-${randomUUID().slice(0, 8)}`;
      const { id } = await createOrganization(postgres.db, { slug, ...organization });
      if (credit !== "0") {
        await addCredit(postgres.db, { organizationId: id, amountEur: credit, reference: "test" });
      }
      const { key, plaintext } = await createApiKey(postgres.db, {
        organizationId: id,
        ...(scopes && { scopes }),
        ...(ipAllowlist && { ipAllowlist }),
      });
      return {
        organizationId: id,
        slug,
        key: plaintext,
        keyId: key.id,
        call: (method, path, options = {}) => call(api.url, plaintext, method, path, options),
      };
    },
    async stop() {
      closed ??= api.close();
      await closed;
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function call(
  base: string,
  ownKey: string,
  method: string,
  path: string,
  { json, body, headers = {}, key = ownKey }: CallOptions,
): Promise<Reply> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    body: json === undefined ? (body ?? null) : JSON.stringify(json),
  });
  const text = await response.text();
  const isJson = text !== "" && (response.headers.get("Content-Type")?.startsWith("application/json") ?? false);
  const reply = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  expectDocumented(method, path, reply);
  return reply;
}

/** A form with one file part. */
export function form(
  content: Uint8Array<ArrayBuffer> | string,
  name = "call.wav",
  type = "audio/wav",
  field = "file",
): FormData {
  const data = new FormData();
  data.append(field, new File([content], name, { type }));
  return data;
}

/** 16 kHz mono 16-bit WAV: a quiet tone, so that it is not silence. */
export function wav(seconds: number, { channels = 1 } = {}): Uint8Array<ArrayBuffer> {
  const rate = 16_000;
  const frames = Math.round(seconds * rate);
  const data = Buffer.alloc(44 + frames * channels * 2);
  data.write("RIFF", 0);
  data.writeUInt32LE(data.length - 8, 4);
  data.write("WAVEfmt ", 8);
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(channels, 22);
  data.writeUInt32LE(rate, 24);
  data.writeUInt32LE(rate * channels * 2, 28);
  data.writeUInt16LE(channels * 2, 32);
  data.writeUInt16LE(16, 34);
  data.write("data", 36);
  data.writeUInt32LE(frames * channels * 2, 40);
  for (let i = 0; i < frames * channels; i += 1) data.writeInt16LE(Math.round(800 * Math.sin(i / 9)), 44 + i * 2);
  return new Uint8Array(data);
}

/** Files below a directory: what an upload must not leave behind. */
export async function filesIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
