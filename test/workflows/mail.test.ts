import test from "ava";
import { addCredit, debitCredit } from "../../billing/credit.ts";
import { putMember } from "../../storage/organizations.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { newOrganization } from "../support/organization.ts";
import { eventually } from "./stack.ts";
import { startWebhookStack, type WebhookStack } from "./webhook-stack.ts";

let stack: WebhookStack;
let server: MailServer;
test.before(async () => {
  [stack, server] = await Promise.all([startWebhookStack(), startMailServer()]);
});
test.after.always(() => Promise.all([stack?.stop(), server?.close()]));

test.serial("credit events reach owner and billing by SMTP, again after a failure, and no one else", async (t) => {
  const { db } = stack.postgres;
  const { id: organizationId } = await newOrganization(db, { creditLowThresholdEur: "5" });
  for (const role of ["owner", "billing", "developer", "viewer"] as const) {
    await putMember(db, { organizationId, email: `${role}@example.com`, role });
  }
  const smtp = { ESCRIBA_SMTP_URL: server.url, ESCRIBA_MAIL_DIR: "" };
  const worker = await stack.webhooksWorker("transcripts,webhooks", {}, smtp);
  const metrics = async () => (await fetch(worker.metricsUrl)).text();
  server.refusal = { code: 451, message: "busy" };
  await addCredit(db, { organizationId, amountEur: "10", reference: "first" });
  await debitCredit(db, { organizationId, amountEur: "10", reference: "all of it" });
  await eventually(async () => /escriba_mails_total\{outcome="failed",.*\} \d/.test(await metrics()));
  server.refusal = null;
  await eventually(async () => /escriba_mails_total\{outcome="sent",.*\} 4$/m.test(await metrics()));
  t.deepEqual(server.mails.flatMap(({ to }) => to).toSorted(), [
    "billing@example.com",
    "billing@example.com",
    "owner@example.com",
    "owner@example.com",
  ]);
  const ids = server.mails.map(({ text }) => /^Message-ID:\s+<(.*)>\r$/m.exec(text)?.[1]);
  t.is(new Set(ids).size, 4);
  t.is(await db.outbox.count({ where: { doneAt: null } }), 0);
  await worker.drain();
});

test.serial("a mail that is refused ends; a member who has gone by then is not written to", async (t) => {
  const { db } = stack.postgres;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  for (const name of ["refused", "gone"]) {
    await putMember(db, { organizationId, email: `${name}@example.com`, role: "owner" });
  }
  await debitCredit(db, { organizationId, amountEur: "1", reference: "all of it" });
  const smtp = { ESCRIBA_SMTP_URL: server.url };
  const relaying = await stack.worker({}, { ESCRIBA_QUEUES: "transcripts" });
  await eventually(async () => (await db.outbox.count({ where: { organizationId, doneAt: null } })) === 0);
  await relaying.drain();
  const [gone] = await db.member.findMany({ where: { organizationId, email: "gone@example.com" } });
  await db.member.deleteMany({ where: { id: gone?.id ?? "" } });
  const { id: eventId } = await db.event.findFirstOrThrow({ where: { organizationId, event: "credit.exhausted" } });
  server.refusal = { code: 550, message: "unknown" };
  const before = server.mails.length;
  const worker = await stack.webhooksWorker("webhooks", {}, smtp);
  const metrics = async () => (await fetch(worker.metricsUrl)).text();
  await eventually(async () => /escriba_mails_total\{outcome="refused",.*\} 1$/m.test(await metrics()));
  const toGone = stack.temporal.client.workflow.getHandle(`mail:${eventId}:${gone?.id}`);
  await eventually(async () => (await toGone.describe()).status.name === "COMPLETED");
  t.false(/escriba_mails_total\{outcome="(sent|failed)"/.test(await metrics()));
  t.is(server.mails.length, before);
  server.refusal = null;
  await worker.drain();
});
