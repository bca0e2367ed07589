import test from "ava";
import { type Notice, writeMessage } from "../../mail/messages.ts";

const about = { organization: "acme", at: new Date("2026-11-21T10:58:31.123Z") };
const notices: Notice[] = [
  { ...about, event: "credit.low", balanceEur: 4.9935, thresholdEur: 5 },
  { ...about, event: "credit.exhausted", balanceEur: 0 },
  { ...about, event: "webhook.disabled", webhookId: "wh_1", url: "https://hooks.example.com:8443/in/s3cret?token=t0k" },
];

test("each notice has a subject, a text and the same in HTML, in Spanish, with organization and time", (t) => {
  for (const notice of notices) {
    const { subject, text, html } = writeMessage(notice);
    t.regex(subject, /^Escriba: .+ \(acme\)$/);
    t.regex(text, /Organización: acme\. Fecha del aviso: 21 de noviembre de 2026 a las 10:58:31 UTC\./);
    t.regex(html, /<html lang="es">/);
    const words = html
      .replace(/<head>.*<\/head>|<[^>]+>/g, " ")
      .split(/\s+/)
      .filter(Boolean);
    t.deepEqual(words, text.split(/\s+/).filter(Boolean));
  }
});

test("a balance just below its threshold does not look equal to it", (t) => {
  const [low, exhausted] = notices.map((notice) => writeMessage(notice).text);
  t.regex(low ?? "", /ha bajado a 4,9935\s€, por debajo del umbral de aviso de 5,00\s€/);
  t.regex(exhausted ?? "", /El saldo es de 0,00\s€.*402 \(insufficient_credit\)/);
});

test("of an endpoint its id and host are told, nothing of its path or query", (t) => {
  const { text, html, subject } = writeMessage(notices[2] as Notice);
  t.regex(text, /wh_1 \(hooks\.example\.com:8443\)/);
  t.regex(text, /POST \/v1\/webhooks\/wh_1\/enable/);
  for (const part of [text, html, subject]) t.false(/s3cret|t0k/.test(part));
});

test("HTML is escaped", (t) => {
  const { html } = writeMessage({ ...about, organization: '<b>&"', event: "credit.exhausted", balanceEur: 0 });
  t.true(html.includes("&lt;b&gt;&amp;&quot;"));
  t.false(html.includes("<b>"));
});
