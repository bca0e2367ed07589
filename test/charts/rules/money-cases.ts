import type { AlertCase } from "./case.ts";

const voice = { namespace: "voice" };
const deliveries = (outcome: string) =>
  `escriba_webhook_deliveries_total{namespace="voice",pod="a",outcome="${outcome}"}`;

export const moneyCases: AlertCase[] = [
  {
    alert: "EscribaHoldsLeak",
    severity: "critical",
    labels: voice,
    at: 20,
    fires: { 'escriba_unexplained_holds_eur{namespace="voice",pod="a"}': "0.0065x30" },
    quiet: { 'escriba_unexplained_holds_eur{namespace="voice",pod="a"}': "0x30" },
  },
  {
    alert: "EscribaDeadCalls",
    severity: "warning",
    labels: voice,
    at: 30,
    fires: { 'escriba_swept_total{namespace="voice",pod="a",action="released"}': "0x10 9x30" },
    quiet: {
      'escriba_swept_total{namespace="voice",pod="a",action="released"}': "0x10 2x30",
      'escriba_swept_total{namespace="voice",pod="a",action="cleaned"}': "0x10 90x30",
    },
  },
  {
    alert: "EscribaAnswersUnsettled",
    severity: "warning",
    labels: voice,
    at: 15,
    fires: { 'escriba_chat_unsettled_total{namespace="voice",pod="a"}': "0x10 1x20" },
    quiet: { 'escriba_chat_unsettled_total{namespace="voice",pod="a"}': "7x30" },
  },
  {
    alert: "EscribaWrittenOff",
    severity: "info",
    labels: voice,
    at: 120,
    fires: {
      'escriba_written_off_eur_total{namespace="voice",pod="a",process="api"}': "0x10 0.7x200",
      'escriba_transcript_written_off_eur_total{namespace="voice",pod="b",process="worker"}': "0x10 0.7x200",
    },
    quiet: { 'escriba_written_off_eur_total{namespace="voice",pod="a",process="api"}': "0x10 0.7x200" },
  },
  {
    alert: "EscribaCreditExhausted",
    severity: "info",
    labels: voice,
    at: 30,
    fires: {
      'escriba_outbox_served_total{namespace="voice",pod="a",kind="credit.exhausted",outcome="done"}': "0x10 1x40",
    },
    quiet: {
      'escriba_outbox_served_total{namespace="voice",pod="a",kind="credit.low",outcome="done"}': "0x10 5x40",
      'escriba_outbox_served_total{namespace="voice",pod="a",kind="credit.exhausted",outcome="done"}': "3x50",
    },
  },
  {
    alert: "EscribaWebhooksFail",
    severity: "warning",
    labels: voice,
    at: 70,
    fires: { [deliveries("delivered")]: "0+2x90", [deliveries("failed")]: "0+5x90" },
    quiet: { [deliveries("delivered")]: "0+9x90", [deliveries("failed")]: "0+4x90", [deliveries("blocked")]: "0+1x90" },
  },
  {
    alert: "EscribaWebhookDisabled",
    severity: "info",
    labels: voice,
    at: 30,
    fires: { 'escriba_webhooks_disabled_total{namespace="voice",pod="a"}': "0x10 1x40" },
    quiet: { 'escriba_webhooks_disabled_total{namespace="voice",pod="a"}': "4x50" },
  },
  {
    alert: "EscribaMailFails",
    severity: "warning",
    labels: voice,
    at: 70,
    fires: { 'escriba_mails_total{namespace="voice",pod="a",outcome="failed"}': "0+1x90" },
    quiet: {
      'escriba_mails_total{namespace="voice",pod="a",outcome="failed"}': "0x40 1x50",
      'escriba_mails_total{namespace="voice",pod="a",outcome="refused"}': "0+1x90",
    },
  },
];
