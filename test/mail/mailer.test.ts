import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { createMailer, type Mail, MailFailed } from "../../mail/mailer.ts";
import { startMailServer } from "../support/mail-server.ts";
import { authority } from "../support/receiver.ts";

const MAIL: Mail = {
  to: "dueña@example.com",
  subject: "Escriba: Queda poco saldo (acme)",
  text: "Queda poco saldo\n\nEl saldo ha bajado a 4,99 €.\n",
  html: "<p>El saldo ha bajado a 4,99 €.</p>",
  date: new Date("2026-11-21T10:58:31.000Z"),
  id: "evt_1.0f8b",
};
const settings = { directory: null, from: "Escriba <avisos@escriba.test>", ca: [authority.cert] };

async function serving(t: ExecutionContext) {
  const server = await startMailServer();
  t.teardown(() => server.close());
  return { server, mailer: createMailer({ ...settings, smtpUrl: server.url }) };
}

test("a mail goes over TLS after a login, with its id as Message-ID, the same for a repeat", async (t) => {
  const { server, mailer } = await serving(t);
  const mail = { ...MAIL, to: "owner@example.com" };
  t.is(await mailer.send(mail), "sent");
  t.is(await mailer.send(mail), "sent");
  const [first, second] = server.mails;
  t.like(first, { to: ["owner@example.com"], secure: true });
  for (const header of [
    /^From: Escriba <avisos@escriba\.test>\r$/m,
    /^To: owner@example\.com\r$/m,
    /^Subject: Escriba: Queda poco saldo \(acme\)\r$/m,
    /^Message-ID: <evt_1\.0f8b@escriba\.test>\r$/m,
    /^Date: Sat, 21 Nov 2026 10:58:31 \+0000\r$/m,
    /^Auto-Submitted: auto-generated\r$/m,
    /^Content-Type: multipart\/alternative/m,
    /^Content-Type: text\/plain; charset=utf-8\r$/m,
    /^Content-Type: text\/html; charset=utf-8\r$/m,
  ]) {
    t.regex(first?.text ?? "", header);
  }
  t.is(/^Message-ID:.*$/m.exec(first?.text ?? "")?.[0], /^Message-ID:.*$/m.exec(second?.text ?? "")?.[0]);
});

test("a recipient who is refused for good is; for now, it is only a failure; the error says nothing of the address", async (t) => {
  const { server, mailer } = await serving(t);
  for (const [code, refused] of [
    [550, true],
    [451, false],
  ] as const) {
    server.refusal = { code, message: "no" };
    const error = await t.throwsAsync(mailer.send({ ...MAIL, to: "owner@example.com" }), { instanceOf: MailFailed });
    t.is(error.refused, refused, String(code));
    t.false(error.message.includes("@"));
  }
});

test("a wrong password, a stranger's certificate and a server that is away are failures to be tried again", async (t) => {
  const { server } = await serving(t);
  for (const changes of [
    { smtpUrl: server.url.replace("p%40ss", "wrong") },
    { smtpUrl: server.url, ca: undefined },
    { smtpUrl: "smtp://127.0.0.1:1" },
  ]) {
    const mailer = createMailer({ ...settings, ...changes });
    const error = await t.throwsAsync(mailer.send({ ...MAIL, to: "a@example.com" }), { instanceOf: MailFailed });
    t.false(error.refused);
  }
  t.is(server.mails.length, 0);
});

test("without a server a mail is a file, one for all its repeats; without a directory it is skipped", async (t) => {
  const directory = join(await mkdtemp(join(tmpdir(), "escriba-mail-")), "made");
  t.teardown(() => rm(directory, { recursive: true }));
  const mailer = createMailer({ ...settings, smtpUrl: null, directory });
  t.is(await mailer.send(MAIL), "sent");
  t.is(await mailer.send(MAIL), "sent");
  t.deepEqual(await readdir(directory), ["evt_1.0f8b.eml"]);
  const file = await readFile(join(directory, "evt_1.0f8b.eml"), "utf8");
  t.regex(file, /^Message-ID: <evt_1\.0f8b@escriba\.test>\r$/m);
  t.is(await createMailer({ ...settings, smtpUrl: null }).send(MAIL), "skipped");
});

test("an address cannot add recipients or headers", async (t) => {
  const { server, mailer } = await serving(t);
  await mailer.send({ ...MAIL, to: "a@example.com, b@example.com\r\nBcc: c@example.com" }).catch(() => undefined);
  t.true(server.mails.every(({ to }) => to.length <= 1));
  t.false(server.mails.some(({ text }) => /^Bcc:/m.test(text)));
});
