import type { Dashboard } from "./grafana.ts";
import { highest, of, quantile, rates } from "./promql.ts";

const increase = (metric: string, range: string, ...matchers: string[]) =>
  `sum(increase(${of(metric, ...matchers)}[${range}]))`;

export const money: Dashboard = {
  uid: "escriba-money",
  title: "Money and webhooks",
  description: "What is charged, held and written off, and what is owed to receivers.",
  rows: [
    {
      title: "Money",
      panels: [
        {
          title: "Charged for transcripts, last day",
          description: "Chat and embeddings are charged by token: the tokens are below.",
          unit: "currencyEUR",
          as: "stat",
          queries: [[increase("escriba_transcript_charged_eur_total", "1d"), "charged"]],
        },
        {
          title: "Written off, last day",
          description: "What neither hold nor balance covered.",
          unit: "currencyEUR",
          as: "stat",
          queries: [
            [increase("escriba_transcript_written_off_eur_total", "1d"), "transcripts"],
            [increase("escriba_written_off_eur_total", "1d"), "chat and embeddings"],
          ],
        },
        {
          title: "Held for nothing",
          description: "Must be 0.",
          unit: "currencyEUR",
          as: "stat",
          queries: [[highest("", "escriba_unexplained_holds_eur"), "unexplained"]],
        },
        {
          title: "Charged for transcripts",
          description: "Euros an hour.",
          unit: "currencyEUR",
          queries: [[`3600 * ${rates("", "escriba_transcript_charged_eur_total")}`, "an hour"]],
        },
        {
          title: "Tokens charged",
          description: "Of chat, a second.",
          unit: "short",
          queries: [[rates("model, kind", "escriba_chat_tokens_total"), "{{model}} {{kind}}"]],
        },
        {
          title: "What understanding costs",
          description: "Euros an hour, where ESCRIBA_UPSTREAMS says what a token costs.",
          unit: "currencyEUR",
          queries: [[`3600 * ${rates("group", "escriba_understanding_cost_eur_total")}`, "{{group}}"]],
        },
        {
          title: "Out of credit",
          description: "Organizations with nothing to spend, and requests that were refused for it.",
          unit: "short",
          queries: [
            [highest("", "escriba_organizations_without_credit"), "organizations"],
            [`60 * ${rates("", "escriba_http_errors_total", 'code="insufficient_credit"')}`, "refused a minute"],
          ],
        },
        {
          title: "Credit events",
          description: "Low and exhausted.",
          unit: "short",
          queries: [
            [
              `sum by (kind) (increase(${of("escriba_outbox_served_total", 'kind=~"credit\\\\..*"', 'outcome="done"')}[$__rate_interval]))`,
              "{{kind}}",
            ],
          ],
        },
        {
          title: "Unpaid for our own faults",
          description: "Answers that could not be charged, and calls whose process died.",
          unit: "short",
          queries: [
            [increase("escriba_chat_unsettled_total", "$__rate_interval"), "answers"],
            [increase("escriba_swept_total", "$__rate_interval", 'action="released"'), "dead calls"],
          ],
        },
      ],
    },
    {
      title: "Webhooks and mail",
      panels: [
        {
          title: "Deliveries a second",
          description: "Attempts, by outcome.",
          unit: "ops",
          queries: [[rates("outcome", "escriba_webhook_deliveries_total"), "{{outcome}}"]],
        },
        {
          title: "Time of an attempt",
          description: "Ten seconds is the end of one.",
          unit: "s",
          queries: [
            [quantile(0.5, "", "escriba_webhook_delivery_seconds"), "p50"],
            [quantile(0.95, "", "escriba_webhook_delivery_seconds"), "p95"],
          ],
        },
        {
          title: "Endpoints",
          description: "Enabled and disabled.",
          unit: "short",
          queries: [[highest("status", "escriba_webhook_endpoints"), "{{status}}"]],
        },
        {
          title: "Switched off, last day",
          description: "Endpoints after six failed attempts.",
          unit: "short",
          as: "stat",
          queries: [[increase("escriba_webhooks_disabled_total", "1d"), "endpoints"]],
        },
        {
          title: "Waiting deliveries",
          description: "Tasks on the queue webhooks, and their age.",
          unit: "short",
          queries: [
            [highest("", "escriba_queue_backlog", 'queue="webhooks"'), "tasks"],
            [highest("", "escriba_queue_oldest_seconds", 'queue="webhooks"'), "seconds of the oldest"],
          ],
        },
        {
          title: "Mail a second",
          description: "Notices to members, by outcome.",
          unit: "ops",
          queries: [[rates("outcome", "escriba_mails_total"), "{{outcome}}"]],
        },
      ],
    },
  ],
};
