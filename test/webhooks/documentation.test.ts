import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { type ExecutionContext } from "ava";
import { deliveredEvents } from "../../api/schemas/events.ts";
import { outboundPost } from "../../storage/outbound-post.ts";
import { parseNetworks } from "../../storage/public-address.ts";
import { makeAttempt } from "../../webhooks/attempt.ts";
import { RETRY_DELAYS } from "../../webhooks/deliveries.ts";
import { DELIVERED_EVENTS, type DeliveredEvent, EVENT_NAMES } from "../../webhooks/events.ts";
import { newWebhookSecret } from "../../webhooks/secrets.ts";

const page = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);

test("the page shows a body of every event that is delivered, as its schema says, and names all six", (t) => {
  const shown = blocks("json").map((text) => JSON.parse(text));
  t.deepEqual(
    shown.map(({ event }) => event),
    [...DELIVERED_EVENTS],
  );
  for (const body of shown) t.deepEqual(deliveredEvents[body.event as DeliveredEvent].parse(body), body);
  for (const name of EVENT_NAMES) t.regex(page, new RegExp(`^\\| \`${name}\` +\\|`, "m"));
});

test("the page's table of retries is what is done", (t) => {
  const units: Record<string, number> = { min: 60, h: 3_600 };
  const rows = [...page.matchAll(/^\| (\d) +\| (\d+) (min|h) +\|$/gm)];
  t.deepEqual(
    rows.map(([, attempt, count, unit = ""]) => [Number(attempt), Number(count) * (units[unit] ?? 0)]),
    RETRY_DELAYS.map((seconds, at) => [at + 2, seconds]),
  );
});

interface Program {
  url: string;
  line(): Promise<string>;
}

async function running(
  t: ExecutionContext,
  command: string,
  file: string,
  text: string,
  secret: string,
): Promise<Program> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-receiver-"));
  await writeFile(join(directory, file), text);
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" };
  const child = spawn(command, [join(directory, file)], { env, stdio: ["ignore", "pipe", "inherit"] });
  t.teardown(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await rm(directory, { recursive: true });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const port = /^listening on (\d+)$/.exec(await line())?.[1];
  return { url: `http://127.0.0.1:${port}/`, line };
}

for (const { name, command, file, language } of [
  { name: "Node", command: process.execPath, file: "receiver.mjs", language: "js" },
  { name: "Python", command: "python3", file: "receiver.py", language: "python" },
]) {
  test(`the receiver in ${name} takes what is signed, once, and refuses everything else`, async (t) => {
    const [text = ""] = blocks(language);
    const secret = newWebhookSecret();
    const { url, line } = await running(t, command, file, text, secret);
    const send = (signedWith: string, body: object, now = Date.now()) => {
      const network = { timeoutMs: 20_000, allowed: parseNetworks(["127.0.0.0/8"]) };
      const bytes = Buffer.from(JSON.stringify(body));
      return makeAttempt({ post: outboundPost, network, now: () => now }, "evt_1", { url, body: bytes }, signedWith);
    };
    const event = { id: "evt_1", event: "transcript.completed", transcript_id: "tr_ñ1" };
    const accepted = { status: "delivered", responseStatus: 204, error: null } as const;
    const refused = { status: "failed", responseStatus: 400, error: "http_status" } as const;
    t.deepEqual(await send(newWebhookSecret(), event), refused);
    t.deepEqual(await send(secret, event, Date.now() - 310_000), refused);
    t.deepEqual(await send(secret, event, Date.now() + 310_000), refused);
    for (const header of [undefined, "", "t=1", "v1=00", "t=x,v1=y", "=,=", "t=NaN,v1="]) {
      const headers = header === undefined ? {} : { "Service-Signature": header };
      t.is((await fetch(url, { method: "POST", headers, body: "{}" })).status, 400, header);
    }
    t.deepEqual(await send(secret, event, Date.now() - 290_000), accepted);
    t.deepEqual(await send(secret, event), accepted);
    t.deepEqual(await send(secret, { id: "evt_2", event: "credit.exhausted", balance_eur: 0 }), accepted);
    t.deepEqual([await line(), await line()], ["transcript.completed tr_ñ1", "credit.exhausted 0"]);
  });
}
