import { DefaultLogger, type LogLevel, makeTelemetryFilterString, Runtime } from "@temporalio/worker";
import type { Logger } from "../process/log.ts";

/**
 * The SDK's one runtime a process, to be installed before anything else of it is used. Its own signal handlers are
 * off: they would shut workers down at once, which loses tasks (slots.ts).
 */
export function installRuntime(log: Logger): void {
  const write = { TRACE: "trace", DEBUG: "debug", INFO: "info", WARN: "warn", ERROR: "error" } as const;
  Runtime.install({
    shutdownSignals: [],
    // The SDK's native part would write lines of its own form to the console; this way they come through our log.
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: "WARN", other: "ERROR" }), forward: {} } },
    logger: new DefaultLogger("WARN" satisfies LogLevel, ({ level, message, meta }) => {
      // How a worker ends, and how one without the transcripts queue begins, is nothing to warn of.
      if (/AbortError|No workflows registered/.test(`${message} ${meta?.error ?? ""}`)) return;
      log[write[level]]({ sdk: meta?.sdkComponent, error: meta?.error?.toString() }, message);
    }),
  });
}
