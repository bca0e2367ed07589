import { fork } from "node:child_process";
import { once } from "node:events";
import test from "ava";
import { choosePort } from "../../embedded/ports.ts";
import { migrate, readMigrations } from "../../storage/migrate.ts";
import { startTestPostgres } from "../support/postgres.ts";
import { eventually, type Stack, startStack } from "./stack.ts";

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

test("a worker started beside the migration waits, not ready, for its tables; asked to end meanwhile it does", async (t) => {
  const postgres = await startTestPostgres({ migrated: false });
  t.teardown(postgres.stop);
  await migrate(postgres.url, (await readMigrations()).slice(0, -1)); // the version before
  const start = async () => {
    const port = await choosePort(0, "a test", "the worker");
    const child = fork(new URL("../../cli/escriba.ts", import.meta.url), ["worker", "--queues", "transcripts"], {
      env: {
        ...{ ...process.env, ...stack.environment },
        ESCRIBA_DATABASE_URL: postgres.url,
        ESCRIBA_METRICS_PORT: String(port),
      },
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => null,
      );
    return { child, ask };
  };
  const impatient = await start();
  const waiting = await eventually(() => impatient.ask("/readyz"));
  t.deepEqual(waiting, { status: 503, text: "starting\n" });
  t.is(JSON.parse((await impatient.ask("/status"))?.text ?? "{}").state, "starting");
  impatient.child.kill("SIGTERM");
  t.deepEqual(await once(impatient.child, "exit"), [0, null]);

  const patient = await start();
  await eventually(() => patient.ask("/livez"));
  t.is((await patient.ask("/readyz"))?.status, 503);
  await migrate(postgres.url);
  await eventually(async () => (await patient.ask("/readyz"))?.status === 200);
  patient.child.kill("SIGTERM");
  t.deepEqual(await once(patient.child, "exit"), [0, null]);
});
