import type { AlertCase } from "./case.ts";

const voice = { namespace: "voice" };
const speech = { ...voice, pool_namespace: "voice", pool: "speech" };
const ofPool = (name: string, more = "") =>
  `escriba_operator_${name}{namespace="voice",pod="a",pool_namespace="voice",pool="speech"${more}}`;
const condition = (name: string) => ofPool("condition", `,condition="${name}"`);
const leader = (pod = "a") => `escriba_operator_leader{namespace="voice",pod="${pod}"}`;

export const operatorCases: AlertCase[] = [
  {
    alert: "EscribaOperatorNotLeading",
    severity: "critical",
    labels: voice,
    at: 20,
    // Both wait for the lease; gone altogether is the next one.
    fires: { [leader("a")]: "0x30", [leader("b")]: "0x30" },
    quiet: { [leader("a")]: "0x30", [leader("b")]: "1x30" },
  },
  {
    alert: "EscribaOperatorNotLeading",
    severity: "critical",
    labels: voice,
    at: 20,
    fires: { [leader("a")]: "1x10 stale" },
    quiet: { 'escriba_worker_slots{namespace="voice"}': "1x30" },
  },
  {
    alert: "EscribaOperatorSeveralLeaders",
    severity: "critical",
    labels: voice,
    at: 10,
    fires: { [leader("a")]: "1x30", [leader("b")]: "1x30" },
    quiet: { [leader("a")]: "1x30", [leader("b")]: "0x30" },
  },
  {
    alert: "EscribaOperatorLeaseFlaps",
    severity: "warning",
    labels: voice,
    at: 40,
    fires: { 'escriba_operator_lease_transitions_total{namespace="voice",pod="a",event="acquired"}': "0x10 0+1x40" },
    quiet: {
      'escriba_operator_lease_transitions_total{namespace="voice",pod="a",event="acquired"}': "0x15 1x40",
      'escriba_operator_lease_transitions_total{namespace="voice",pod="a",event="lost"}': "0+1x60",
    },
  },
  {
    alert: "EscribaOperatorDecisionOld",
    severity: "critical",
    labels: speech,
    at: 10,
    fires: { [ofPool("decision_timestamp_seconds")]: "0 60 120 120x20" },
    quiet: { [ofPool("decision_timestamp_seconds")]: "0+60x30" },
  },
  {
    alert: "EscribaOperatorFaults",
    severity: "warning",
    labels: { ...voice, kind: "conflict" },
    at: 30,
    fires: { 'escriba_operator_faults_total{namespace="voice",pod="a",kind="conflict"}': "0+5x40" },
    quiet: { 'escriba_operator_faults_total{namespace="voice",pod="a",kind="conflict"}': "0x10 2x30" },
  },
  {
    alert: "EscribaPoolDemandUnknown",
    severity: "critical",
    labels: speech,
    at: 10,
    fires: { [ofPool("demand_known")]: "1 0x20" },
    quiet: { [ofPool("demand_known")]: "1 1 0 1x20" },
  },
  {
    alert: "EscribaPoolTemplateRefused",
    severity: "warning",
    labels: speech,
    at: 10,
    fires: { [condition("TemplateAccepted")]: "0x20" },
    quiet: { [condition("TemplateAccepted")]: "1x20", [condition("Ready")]: "0x20" },
  },
  {
    alert: "EscribaPoolUnschedulable",
    severity: "warning",
    labels: speech,
    at: 20,
    fires: { [condition("Unschedulable")]: "1x30" },
    quiet: { [condition("Unschedulable")]: "1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 0 1x20" },
  },
  {
    alert: "EscribaPoolAtMax",
    severity: "warning",
    labels: speech,
    at: 40,
    fires: { [condition("AtMax")]: "1x60", [ofPool("waiting_seconds")]: "900x60" },
    // As large as it may be, and fast enough.
    quiet: { [condition("AtMax")]: "1x60", [ofPool("waiting_seconds")]: "60x60" },
  },
  {
    alert: "EscribaPoolDrainsLong",
    severity: "warning",
    labels: speech,
    at: 70,
    fires: { [ofPool("pods", ',state="draining"')]: "1x90" },
    quiet: { [ofPool("pods", ',state="draining"')]: "1x50 0 1x90" },
  },
];
