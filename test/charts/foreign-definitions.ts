import type { KubernetesObject } from "./rendered.ts";

/** Kinds of other projects that the chart can render, by group. */
const FOREIGN: [group: string, version: string, kind: string, plural: string][] = [
  ["monitoring.coreos.com", "v1", "PodMonitor", "podmonitors"],
  ["monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors"],
  ["monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules"],
  ["gateway.networking.k8s.io", "v1", "HTTPRoute", "httproutes"],
];

/**
 * Definitions that stand in for those of the Prometheus Operator and of the Gateway API: names and scope are theirs, and
 * any fields are taken, so that an API server accepts what the chart renders beside its own kinds.
 */
export function foreignDefinitions(): KubernetesObject[] {
  return FOREIGN.map(([group, version, kind, plural]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      // The API server asks for the approval of groups of Kubernetes' own.
      annotations: { "api-approved.kubernetes.io": "unapproved, a stand-in of a test" },
    },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  }));
}
