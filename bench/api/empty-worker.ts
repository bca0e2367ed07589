import { fileURLToPath } from "node:url";
import { NativeConnection, Worker } from "@temporalio/worker";

/** A worker of the empty workflow, as Temporal's documentation starts one. usage: empty-worker.ts ADDRESS */
const [address] = process.argv.slice(2) as [string];
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue: "bench-empty",
  workflowsPath: fileURLToPath(new URL("empty-workflow.ts", import.meta.url)),
  activities: { nothing: async () => undefined },
});
process.once("SIGTERM", () => worker.shutdown());
const running = worker.run();
process.send?.({ ready: {} });
await running;
await connection.close();
process.disconnect?.();
