import { GROUP, KIND, PLURAL, SHORT_NAME, SINGULAR, VERSION } from "./group.ts";
import { structuralSchema } from "./json-schema.ts";
import { rules } from "./rules.ts";
import { workerPoolSpec } from "./spec.ts";
import { workerPoolStatus } from "./status.ts";

/** A column of `kubectl get wp`; those of priority 1 show with `-o wide`. */
export interface PrinterColumn {
  name: string;
  type: "string" | "integer" | "number" | "date";
  jsonPath: string;
  description: string;
  priority?: 1;
}

export const printerColumns: PrinterColumn[] = [
  { name: "Mode", type: "string", jsonPath: ".spec.scaling.mode", description: "Auto or Manual." },
  { name: "Desired", type: "integer", jsonPath: ".status.desiredReplicas", description: "Pods wanted." },
  { name: "Ready", type: "integer", jsonPath: ".status.readyReplicas", description: "Pods ready for work." },
  { name: "Busy", type: "integer", jsonPath: ".status.busyReplicas", description: "Pods at work." },
  {
    name: "Queue",
    type: "integer",
    jsonPath: ".status.demand.outstandingChunks",
    description: "Pieces of work that are not done; empty when not known.",
  },
  {
    name: "Waiting",
    type: "date",
    jsonPath: ".status.demand.waitingSince",
    description: "For how long the oldest has waited.",
  },
  { name: "Reason", type: "string", jsonPath: ".status.decision.reason", description: "Why Desired is what it is." },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", description: "Age of the WorkerPool." },
  { name: "Pods", type: "integer", jsonPath: ".status.replicas", description: "Pods there are.", priority: 1 },
  {
    name: "Updated",
    type: "integer",
    jsonPath: ".status.updatedReplicas",
    description: "Pods of the present template.",
    priority: 1,
  },
  {
    name: "Draining",
    type: "integer",
    jsonPath: ".status.drainingReplicas",
    description: "Pods that take no more work.",
    priority: 1,
  },
  {
    name: "Speed",
    type: "number",
    jsonPath: ".status.speed.audioSecondsPerSecond",
    description: "Audio-seconds a slot does in a second, as measured.",
    priority: 1,
  },
  {
    name: "Why",
    type: "string",
    jsonPath: ".status.decision.message",
    description: "The reason with its numbers.",
    priority: 1,
  },
];

/** The CustomResourceDefinition of WorkerPools, as it is applied. */
export function workerPoolDefinition() {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${PLURAL}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: {
        kind: KIND,
        listKind: `${KIND}List`,
        plural: PLURAL,
        singular: SINGULAR,
        shortNames: [SHORT_NAME],
        categories: ["all", "escriba"],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          additionalPrinterColumns: printerColumns,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
          schema: {
            openAPIV3Schema: {
              type: "object",
              description:
                "A pool of worker pods that follows its task queues: as many as the work wants, and none is taken away while it is at work.",
              required: ["spec"],
              "x-kubernetes-validations": rules.root,
              properties: {
                apiVersion: { type: "string", description: "Version of this schema." },
                kind: { type: "string", description: KIND },
                metadata: { type: "object" },
                spec: structuralSchema(workerPoolSpec),
                status: structuralSchema(workerPoolStatus),
              },
            },
          },
        },
      ],
    },
  };
}
