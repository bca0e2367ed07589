import type { Pod } from "../kubernetes/objects.ts";
import { apiVersion, PODS, WORKER_POOLS } from "../kubernetes/resources.ts";
import { POOL_LABEL, TEMPLATE_HASH_LABEL } from "../workerpool/group.ts";
import type { WorkerPool } from "../workerpool/types.ts";

/** A worker leaves when its work is done and not before: node autoscalers are told to look elsewhere. */
const STAY = {
  "karpenter.sh/do-not-disrupt": "true",
  "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
};

/** The pod of a pool's present template under this name, owned by the pool. */
export function podBody({ metadata, spec: { template } }: WorkerPool, templateHash: string, name: string): Pod {
  return {
    apiVersion: apiVersion(PODS),
    kind: PODS.kind,
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: {
        ...template.metadata?.labels,
        [POOL_LABEL]: metadata.name,
        [TEMPLATE_HASH_LABEL]: templateHash,
      },
      annotations: { ...STAY, ...template.metadata?.annotations },
      // Without blockOwnerDeletion, which would need a right on the pool's finalizers.
      ownerReferences: [
        {
          apiVersion: apiVersion(WORKER_POOLS),
          kind: WORKER_POOLS.kind,
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: template.spec as Pod["spec"],
  };
}
