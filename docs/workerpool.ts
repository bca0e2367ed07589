import { printerColumns, workerPoolDefinition } from "../operator/workerpool/definition.ts";
import { API_VERSION, GROUP, MAX_POOL_NAME, POOL_LABEL, TEMPLATE_HASH_LABEL } from "../operator/workerpool/group.ts";
import { type JsonSchema, structuralSchema } from "../operator/workerpool/json-schema.ts";
import { type ConditionMeaning, conditionMeanings, decisionReasons } from "../operator/workerpool/reasons.ts";
import { rules } from "../operator/workerpool/rules.ts";
import { workerPoolSpec } from "../operator/workerpool/spec.ts";
import { workerPoolStatus } from "../operator/workerpool/status.ts";
import { table } from "./table.ts";
import { yaml } from "./yaml.ts";

/** charts/escriba/crds/workerpools.escriba.dev.yaml. */
export function workerPoolDefinitionFile(): string {
  const comment = "# Written by `npm run docs:workerpool` from operator/workerpool/; change it there.\n";
  return comment + yaml(workerPoolDefinition());
}

/** docs/workerpool.md, the reference of every field. */
export function workerPoolPage(): string {
  return `# WorkerPool

<!-- Written by \`npm run docs:workerpool\` from operator/workerpool/. -->

\`${API_VERSION}\`, short name \`wp\`. A pool of worker pods that follows its task queues. How the number of pods
comes about, with numbers, is in [scaling.md](scaling.md).

\`\`\`yaml
${EXAMPLE.trim()}
\`\`\`

The name has at most ${MAX_POOL_NAME} characters. Pods are called \`<pool>-<template hash>-<n>\` and carry the labels
\`${POOL_LABEL}\` and \`${TEMPLATE_HASH_LABEL}\`.

## What kubectl shows

\`kubectl get wp\`; columns marked "wide" with \`-o wide\`.

${table(
  ["Column", "Field", "What it is"],
  printerColumns.map(({ name, jsonPath, description, priority }) => [
    priority ? `${name} (wide)` : name,
    `\`${jsonPath.slice(1)}\``,
    description,
  ]),
)}

\`kubectl scale wp NAME --replicas N\` writes \`spec.replicas\`. In \`Manual\` that is obeyed. In \`Auto\` it is a nudge: the
operator takes it as the present count, and goes back to what demand wants by the rules of \`scaleUp\` and \`scaleDown\`.

## spec

${fields(structuralSchema(workerPoolSpec))}

What the API server refuses besides:

${Object.values(rules)
  .flat()
  .map(({ message }) => `- ${message}`)
  .join("\n")}

## status

Written by the operator, and all that it remembers: a new leader goes on from here.

${fields(structuralSchema(workerPoolStatus))}

### Reasons of decisions

${table(
  ["Reason", "Why the desired count is what it is"],
  Object.entries(decisionReasons).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
)}

### Conditions

${Object.entries(conditionMeanings).map(conditionText).join("\n\n")}

A pod's own reason, e.g. \`CrashLoopBackOff\`, \`ImagePullBackOff\` or \`Evicted\`, can be that of Progressing too.

## Who may

Everyone with the cluster role \`view\` may read WorkerPools; \`edit\` and \`admin\` may change and scale them (roles
aggregated by the chart). The status is the operator's. Group of the resource: \`${GROUP}\`.
`;
}

const EXAMPLE = `
apiVersion: ${API_VERSION}
kind: WorkerPool
metadata:
  name: speech
spec:
  queues: [speech, speech-short]
  scaling:
    maxReplicas: 8
    slotsPerPod: 4
    targetWaitSeconds: 30
  demand:
    url: http://escriba-api-metrics:9464/internal/demand
    tokenSecret:
      name: escriba-demand
  template:
    spec:
      containers:
        - name: worker
          image: escriba:0.1.0
          args: [worker, --queues, "speech,speech-short"]
          ports:
            - name: metrics
              containerPort: 9464
          resources:
            limits:
              nvidia.com/gpu: 1
`;

function conditionText([type, { means, trouble, reasons }]: [string, ConditionMeaning]): string {
  const bad = trouble ? ` Look into it when it is ${trouble}.` : "";
  const rows = Object.entries(reasons).map(([reason, meaning]) => [`\`${reason}\``, meaning]);
  return `**${type}**: ${means}${bad}\n\n${table(["Reason", "Meaning"], rows)}`;
}

/** A row a field, nested ones by their path. */
function fields(schema: JsonSchema): string {
  return table(["Field", "Type", "Default", "What it is"], rows(schema, ""));
}

function rows(schema: JsonSchema, prefix: string): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = field.items ?? field;
    const own = [
      `\`${path}\``,
      `${typeName(field)}${required.has(name) ? ", required" : ""}`,
      // A nested object's default is that of its fields, which have rows of their own.
      field.default === undefined || field.properties ? "" : `\`${JSON.stringify(field.default)}\``,
      field.description ?? "",
    ];
    return [own, ...rows(inner, field.items ? `${path}[].` : `${path}.`)];
  });
}

function typeName(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(" or ");
  if (schema.items)
    return `list${limits("", schema.maxItems)} of ${schema.items.enum ? "text" : typeName(schema.items)}`;
  if (schema.format === "date-time") return "time";
  if (schema.additionalProperties) return "map";
  if (schema.type === "string") return `text${limits("", schema.maxLength)}`;
  if (schema.type === "integer" || schema.type === "number") {
    const { type, minimum, maximum, exclusiveMinimum } = schema;
    if (minimum === undefined || maximum === undefined) return type;
    return `${type} ${exclusiveMinimum ? "above " : ""}${minimum} to ${maximum}`;
  }
  return schema.type ?? "any";
}

const limits = (unit: string, most: number | undefined) => (most === undefined ? "" : ` (at most ${most}${unit})`);
