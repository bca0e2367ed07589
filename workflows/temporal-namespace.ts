import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "@temporalio/client";
import { KEYWORD, ORGANIZATION_ATTRIBUTE } from "./organization-attribute.ts";

/** What was made of a namespace, and what its server does not let us do. */
export interface NamespaceReport {
  done: string[];
  /** For somebody who may: lines for a shell. */
  commands: string[];
}

/** The part of a connection that is asked here. */
type Services = Pick<Connection, "workflowService" | "operatorService">;

/** A new namespace is known to every part of a server after a while, 10 s as a rule. */
const KNOWN_WITHIN_MS = 60_000;

/**
 * The namespace with its retention and search attribute. What is there stays, several runs at once are safe, and what
 * the server refuses to us is answered as commands. Rejects when it cannot be asked.
 */
export async function ensureNamespace(
  connection: Services,
  { namespace, retentionDays }: { namespace: string; retentionDays: number },
): Promise<NamespaceReport> {
  const report: NamespaceReport = { done: [], commands: [] };
  const step = async (done: string, command: string, work: () => Promise<unknown>) => {
    try {
      await work();
      report.done.push(done);
    } catch (error) {
      if (isCode(error, ALREADY_EXISTS)) return;
      if (!isRefused(error)) throw error;
      report.commands.push(command);
    }
  };
  const retention = { seconds: retentionDays * 86_400, nanos: 0 } as never; // a Long is not asked for
  const hours = `${retentionDays * 24}h`;
  const exists = await describe(connection, namespace);
  if (exists === null) {
    await step(
      `namespace ${namespace}, closed workflows kept ${retentionDays} days`,
      `temporal operator namespace create --namespace ${namespace} --retention ${hours}`,
      () => connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention }),
    );
  } else if (exists !== "unknown" && exists.retentionSeconds < retentionDays * 86_400) {
    await step(
      `closed workflows of namespace ${namespace} kept ${retentionDays} days`,
      `temporal operator namespace update --namespace ${namespace} --retention ${hours}`,
      () =>
        connection.workflowService.updateNamespace({
          namespace,
          config: { workflowExecutionRetentionTtl: retention },
        }),
    );
  }
  const withoutUs = exists === null && report.commands.length > 0;
  if (!withoutUs) await known(connection, namespace);
  const attribute = `temporal operator search-attribute create --namespace ${namespace} --name ${ORGANIZATION_ATTRIBUTE} --type Keyword`;
  if (withoutUs) {
    report.commands.push(attribute);
  } else if (!(await hasAttribute(connection, namespace))) {
    await step(`search attribute ${ORGANIZATION_ATTRIBUTE}`, attribute, () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: { [ORGANIZATION_ATTRIBUTE]: KEYWORD },
      }),
    );
  }
  return report;
}

/** Null: there is none. `unknown`: we are not told. */
async function describe(
  connection: Services,
  namespace: string,
): Promise<{ retentionSeconds: number } | "unknown" | null> {
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return { retentionSeconds: Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) };
  } catch (error) {
    if (isCode(error, NOT_FOUND)) return null;
    if (isRefused(error)) return "unknown";
    throw error;
  }
}

/** False also where we may not ask. */
export async function hasAttribute(connection: Services, namespace: string): Promise<boolean> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.hasOwn(customAttributes ?? {}, ORGANIZATION_ATTRIBUTE);
  } catch (error) {
    if (isRefused(error) || isCode(error, NOT_FOUND)) return false;
    throw error;
  }
}

/** Waits for a namespace that somebody has just made. */
async function known(connection: Services, namespace: string): Promise<void> {
  for (const end = performance.now() + KNOWN_WITHIN_MS; ; ) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace });
      return;
    } catch (error) {
      if (isRefused(error)) return;
      if (!isCode(error, NOT_FOUND) || performance.now() > end) throw error;
    }
    await sleep(500);
  }
}

const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
/** PERMISSION_DENIED; UNIMPLEMENTED, as servers answer whose operator service is closed; UNAUTHENTICATED. */
const REFUSED = [7, 12, 16];

const isCode = (error: unknown, code: number) => (error as { code?: unknown }).code === code;
const isRefused = (error: unknown) => REFUSED.some((code) => isCode(error, code));
