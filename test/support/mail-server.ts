import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { authority } from "./receiver.ts";

export interface MailServer {
  /** With a user and a password in it; STARTTLS is taken up by itself. */
  url: string;
  /** As they came, headers and all. */
  mails: { to: string[]; text: string; secure: boolean }[];
  /** What it says to the next recipients: null takes them. */
  refusal: { code: number; message: string } | null;
  close(): Promise<void>;
}

/** A real SMTP server on loopback that wants TLS and a login. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    ...authority.issue(["localhost"]),
    authMethods: ["PLAIN", "LOGIN"],
    onAuth: ({ username, password }, _session, done) =>
      username === "escriba" && password === "p@ss" ? done(null, { user: username }) : done(new Error("who is it?")),
    onRcptTo: (_address, _session, done) => {
      const { refusal } = mailServer;
      if (refusal) done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
      else done();
    },
    onData: (stream, { envelope, secure }, done) => {
      text(stream).then((said) => {
        mailServer.mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: said, secure });
        done();
      }, done);
    },
  });
  server.on("error", () => undefined); // clients that trust nobody
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailServer: MailServer = {
    url: `smtp://escriba:p%40ss@localhost:${port}`,
    mails: [],
    refusal: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}
