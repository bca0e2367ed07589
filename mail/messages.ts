/** What members are told by e-mail, in Spanish. Nothing secret: of an endpoint its host, never its path or its secret. */

export type Notice = { organization: string; at: Date } & (
  | { event: "credit.low"; balanceEur: number; thresholdEur: number }
  | { event: "credit.exhausted"; balanceEur: number }
  | { event: "webhook.disabled"; webhookId: string; url: string }
);

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** A mail's paragraphs; the first line of the mail and its subject are the title. */
interface Content {
  title: string;
  paragraphs: string[];
}

export function writeMessage(notice: Notice): Message {
  const { title, paragraphs } = contentOf(notice);
  const closing = `Organización: ${notice.organization}. Fecha del aviso: ${moment(notice.at)}.`;
  const reason = "Recibe este mensaje porque tiene el papel de propietario o de facturación en la organización.";
  const all = [...paragraphs, closing, reason];
  return {
    subject: `Escriba: ${title} (${notice.organization})`,
    text: `${[title, ...all].join("\n\n")}\n`,
    html: [
      '<!doctype html><html lang="es"><head><meta charset="utf-8"></head>',
      '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">',
      `<h1 style="font-size: 1.2em">${escaped(title)}</h1>`,
      ...all.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
      "</body></html>",
    ].join("\n"),
  };
}

function contentOf(notice: Notice): Content {
  switch (notice.event) {
    case "credit.low":
      return {
        title: "Queda poco saldo",
        paragraphs: [
          `El saldo ha bajado a ${euros(notice.balanceEur)}, por debajo del umbral de aviso de ${euros(notice.thresholdEur)}.`,
          "Añada saldo para que no se rechacen peticiones.",
        ],
      };
    case "credit.exhausted":
      return {
        title: "El saldo se ha agotado",
        paragraphs: [
          `El saldo es de ${euros(notice.balanceEur)}. Las peticiones de pago se rechazan con el código 402 (insufficient_credit) hasta que añada saldo.`,
        ],
      };
    case "webhook.disabled":
      return {
        title: "Un webhook se ha desactivado",
        paragraphs: [
          `El webhook ${notice.webhookId} (${hostOf(notice.url)}) no ha aceptado un evento en ninguno de sus intentos y ya no recibe más. Las entregas pendientes se han dado por fallidas.`,
          `Cuando el receptor vuelva a responder, actívelo con POST /v1/webhooks/${notice.webhookId}/enable. Los intentos pueden consultarse en GET /v1/webhooks/${notice.webhookId}/deliveries.`,
        ],
      };
  }
}

/** As many decimals as the API shows, so that a balance just below its threshold does not look equal to it. */
const EUROS = new Intl.NumberFormat("es-ES", {
  style: "currency",
  currency: "EUR",
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const euros = (amount: number) => EUROS.format(amount);

const MOMENT = new Intl.DateTimeFormat("es-ES", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });
const moment = (at: Date) => `${MOMENT.format(at)} UTC`;

/** A path or query may hold a token. */
const hostOf = (url: string) => URL.parse(url)?.host ?? "";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
