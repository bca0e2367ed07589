import { type ChildProcess, execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Connection } from "@temporalio/client";
import type { Logger } from "../process/log.ts";
import { choosePort } from "./ports.ts";
import { endProcess, spawnWatched } from "./watched-process.ts";

export interface Temporal {
  /** host:port of the frontend, for ESCRIBA_TEMPORAL_ADDRESS. */
  address: string;
  /** Process id of the server, for whoever must end it after we were killed. */
  pid: number | undefined;
  stop(): Promise<void>;
}

export interface TemporalOptions {
  /** SQLite file with every workflow; without it a restart would forget them all. Its directory is made. */
  dbFile: string;
  /** 0 or absent: any free port. */
  port?: number;
  /** Path of the Temporal CLI; absent: `temporal` on PATH, else `fetchBinary`. */
  binary?: string;
  /** Answers the path of a Temporal CLI fetched for us, e.g. models' `ensure("temporal-cli")`. */
  fetchBinary?: () => Promise<string>;
  /** Instead of the settings that the product counts on; none makes it the stock server that others run. */
  dynamicConfig?: readonly string[];
  /** What the server says of what went wrong, as it comes: JSON lines, in pieces. */
  onLog?: (text: string) => void;
  log: Logger;
}

/**
 * Server settings that the product counts on. Fairness between organizations is off until both switches are on (seen
 * with server 1.32), and it holds only inside one partition of a queue. Polls end after 2 s instead of 60, so that a
 * worker which waits for its polls before it leaves (workflows/slots.ts) is gone soon.
 */
const DYNAMIC_CONFIG = [
  "matching.enableFairness=true",
  "matching.autoEnableV2=true",
  "matching.numTaskqueueReadPartitions=1",
  "matching.numTaskqueueWritePartitions=1",
  'matching.longPollExpirationInterval="2s"',
];

const READY_WITHIN_MS = 60_000;
const GRACE_MS = 10_000;
/** The server gives its parts ports of their own, found free a moment before they are bound: it may lose that race. */
const START_ATTEMPTS = 3;

/**
 * Temporal's development server: one process, loopback only, no web page. Rejects with a plain message when the port
 * is taken, the binary is missing, or the server does not come up.
 */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const binary = options.binary ?? (await findBinary(options.fetchBinary));
  await mkdir(dirname(options.dbFile), { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(options.port ?? 0, "its port option", "Temporal");
    try {
      return await start(binary, port, options);
    } catch (error) {
      if (attempt === START_ATTEMPTS || !/address already in use/.test(String(error))) throw error;
      options.log.warn({ attempt }, "temporal lost the race for a port; starting it again");
    }
  }
}

/** `temporal` on PATH wins over a fetched one. Rejects with what to do when there is neither. */
async function findBinary(fetchBinary?: () => Promise<string>): Promise<string> {
  const onPath = await promisify(execFile)("temporal", ["--version"]).then(always, never);
  if (onPath) return "temporal";
  if (fetchBinary) return fetchBinary();
  throw new Error("the Temporal CLI is missing: put `temporal` on PATH (https://docs.temporal.io/cli)");
}

async function start(binary: string, port: number, options: TemporalOptions): Promise<Temporal> {
  const { dbFile, dynamicConfig = DYNAMIC_CONFIG, onLog, log } = options;
  const args = [
    ...["server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", String(port)],
    ...["--db-filename", dbFile, "--log-level", "warn", "--log-format", "json"],
    ...dynamicConfig.flatMap((value) => ["--dynamic-config-value", value]),
  ];
  const child = spawnWatched(binary, args);
  const errors = keepTail(child, onLog);
  const address = `127.0.0.1:${port}`;
  try {
    await ready(child, address, errors);
  } catch (error) {
    await endProcess(child, GRACE_MS);
    throw error;
  }
  log.info({ address, pid: child.pid }, "temporal is ready");
  return { address, pid: child.pid, stop: () => endProcess(child, GRACE_MS) };
}

async function ready(child: ChildProcess, address: string, errors: () => string): Promise<void> {
  let ended: string | undefined;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended ??= `ended with ${signal ?? `code ${code}`}`;
  });
  const late = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (ended) throw new Error(`Temporal did not start: ${ended}\n${errors()}`);
    if (Date.now() > late) throw new Error(`Temporal was not ready after ${READY_WITHIN_MS} ms\n${errors()}`);
    if (await answers(address)) return;
    await sleep(100);
  }
}

/** The frontend answers before it knows its namespace, so the namespace is what is asked for. */
async function answers(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 }).catch(() => undefined);
  if (!connection) return false;
  try {
    await connection.workflowService.describeNamespace({ namespace: "default" });
    await connection.workflowService.countWorkflowExecutions({ namespace: "default" });
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function keepTail(child: ChildProcess, onLog: TemporalOptions["onLog"]): () => string {
  let tail = "";
  child.stderr?.setEncoding("utf8").on("data", (data: string) => {
    tail = (tail + data).slice(-4_000);
    onLog?.(data);
  });
  return () => tail;
}

const always = () => true;
const never = () => false;
