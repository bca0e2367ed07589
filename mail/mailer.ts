import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Message } from "./messages.ts";

export interface MailSettings {
  /** `smtp://user:password@host:587`, or `smtps://…`. Null: mails are files in `directory`. */
  smtpUrl: string | null;
  /** Where mails are written without a server; null: they are not. */
  directory: string | null;
  from: string;
  /** Certificates to trust, all of them; Node's own when absent. */
  ca?: readonly string[] | undefined;
}

export interface Mail extends Message {
  to: string;
  date: Date;
  /** The same for a repeat: becomes the Message-ID, and the file's name. Letters, digits, dots, hyphens, `_`. */
  id: string;
}

export interface Mailer {
  /** `skipped`: there is neither a server nor a directory. Rejects with MailFailed. */
  send(mail: Mail): Promise<"sent" | "skipped">;
}

export class MailFailed extends Error {
  override name = "MailFailed";
  /** The server will not take this mail: no repeat can help. */
  readonly refused: boolean;
  constructor(refused: boolean, cause: unknown) {
    super(refused ? "the mail server refuses the mail" : "the mail could not be handed over", { cause });
    this.refused = refused;
  }
}

/** Silence of a mail server that is taken for its absence. */
const TIMEOUT_MS = 15_000;

export function createMailer({ smtpUrl, directory, from, ca }: MailSettings): Mailer {
  const compose = ({ id, to, date, subject, text, html }: Mail): SendMailOptions => ({
    from,
    to: { name: "", address: to },
    date,
    subject,
    text,
    html,
    messageId: `<${id}@${domainOf(from)}>`,
    // So that no vacation responder answers.
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  if (smtpUrl !== null) {
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      ...(ca && { tls: { ca: [...ca] } }),
    });
    return {
      async send(mail) {
        try {
          await transport.sendMail(compose(mail));
          return "sent";
        } catch (error) {
          throw new MailFailed(isRefusal(error), error);
        }
      },
    };
  }
  if (directory === null) return { send: async () => "skipped" };
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(compose(mail));
      await mkdir(directory, { recursive: true });
      const path = join(directory, `${mail.id}.eml`);
      // Whole or absent, for whoever watches the directory.
      await writeFile(`${path}.partial`, message as Buffer);
      await rename(`${path}.partial`, path);
      return "sent";
    },
  };
}

/** Of this recipient or this message. A refused login is the settings' fault, which a person may mend meanwhile. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}

function domainOf(from: string): string {
  return /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? "escriba.invalid";
}
