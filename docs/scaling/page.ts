import { observed } from "../../test/operator/decide/observed.ts";
import { table } from "../table.ts";
import { climb, decidedRows, descent, wantedRows } from "./examples.ts";

const { scaling, demand, assumedSpeed } = observed().pool.spec;

/** docs/scaling.md: every number in it comes out of the function that decides. */
export function scalingPage(): string {
  return `# How many pods there are

<!-- Written by \`npm run docs:scaling\`; every number comes out of operator/decide/. -->

A [WorkerPool](workerpool.md) has as many pods as its work wants. Every two seconds the operator looks at what waits,
at its pods and at what it remembers, and decides; \`kubectl get wp\` shows what and why.

![Twelve minutes of a pool: A posts 60 chunks and gets the 6 pods of its slots, B's one chunk brings one more, C's 24 bring it to maxReplicas 10; while the API does not answer the count is held; after 120 idle seconds all go](images/scaling.svg)

The picture is the real decision, played: chunks of 300 s, ${assumedSpeed} audio-seconds a second a slot, one slot a pod,
\`organizationSlots\` 6, \`targetWaitSeconds\` 60, \`maxReplicas\` 10, pods that take 20 s to load their models.

## What the backlog wants

Work is cut into chunks of 30 to 300 s of audio. Of each organization that has some, for the pool's queues together:

- **slots** = its outstanding chunks, but no more than \`organizationSlots\` (${scaling.organizationSlots}). Chunks at work
  are outstanding too. So an organization alone never brings more pods than its own slots fill, however much it posts.
- **seconds** = its outstanding seconds of audio, but no more than its slots do within \`targetWaitSeconds\`.

Both are summed over the organizations. Then

> pods = the lower of ⌈slots ÷ slotsPerPod⌉ and ⌈seconds ÷ (targetWaitSeconds × speed × slotsPerPod)⌉, and at least 1
> while anything is outstanding.

With the defaults (\`slotsPerPod\` ${scaling.slotsPerPod}, \`targetWaitSeconds\` ${scaling.targetWaitSeconds}) and a speed of 10 a
pod does 300 s of audio within the wait:

${table(["Outstanding", "Slots", "Seconds", "Pods by slots", "Pods by seconds", "Pods"], wantedRows())}

**Speed** is measured: audio-seconds that one slot does in a second, a moving average over the busy pods of the present
template (weight 1/e after 120 s, taken in every 30 s). Each new template begins at \`assumedSpeed\` (${assumedSpeed}).
\`kubectl get wp -o wide\` shows it.

**\`slotsPerPod\`** is the sum of a worker's slots over all queues of the pool, as the worker reports it; the chart writes it
so. Where the two differ the spec counts, and condition \`SlotsAgree\` says so.

## From wanted to desired

1. Never fewer than the pods that are at work. A pod that runs and does not answer counts as one that works.
2. Within \`minReplicas\` (${scaling.minReplicas}) and \`maxReplicas\` (${scaling.maxReplicas}).
3. As fast as \`scaleUp\` and \`scaleDown\` allow, which mean what they mean in a HorizontalPodAutoscaler's \`behavior\`.

By default up goes at once, by 4 pods or by as many as there are, whichever is more, every 15 s. An organization's 32
slots on a pool of none, with \`maxReplicas\` 40: ${steps(climb(100, { maxReplicas: 40 }))}.

Down waits for ${scaling.scaleDown.stabilizationWindowSeconds} s in which fewer were wanted without a break, and goes only as far
as was wanted all that time. Ten pods, all work suddenly done: ${steps(descent(10, {}))}. With a policy of 2 pods a
minute: ${steps(descent(10, { scaleDown: { policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] } }))}.

A short window saves GPU hours and pays for each lull with a start: models have to be loaded again. A window about as
long as your usual lull is right; \`minReplicas: 1\` if the first call after one must not wait at all.

## What is decided when

${table(["Situation", "Desired", "Reason", "Message"], decidedRows())}

- **Demand that is not known** (the API has not answered for \`maxAgeSeconds\`, ${demand?.maxAgeSeconds}) never takes a pod
  away. Condition \`DemandKnown\` says so, and both windows begin anew when it answers.
- **\`kubectl scale\` in \`Auto\`** is a nudge: the operator goes on from that count by the same rules, so a higher one lasts
  about as long as the scale-down window, and a lower one is corrected at once if the work wants more.
- **\`Manual\`** only obeys \`spec.replicas\`, as far as \`maxReplicas\`; it may go below \`minReplicas\`, and to 0 for maintenance.

## Which pods go, and how

A pod is never deleted while it works. One that has not started is deleted; every other is asked to take no more work
(\`POST /drain\`), and deleted when it says that it holds no permit and does nothing, on the condition that it still is the
pod that said so. If it is wanted again meanwhile, the drain is called off. A pod that does not answer is left alone, and
condition \`Progressing\` says \`DrainOverdue\` after \`drain.timeoutSeconds\`.

First go pods that fail to start, then those without a node or behind a scheduling gate, those that pull images, those
that load models, those that drain already, idle ones, the least busy, and last those that do not answer; among equals
the youngest.

A new template replaces pods as a Deployment does, by \`maxSurge\` and \`maxUnavailable\`; old pods that do not start, or have
no node, go at once. A cluster without a spare GPU has no node for the surge: after \`unschedulableSeconds\` one idle old
pod makes room (\`DrainOneIdle\`), and the next when as many are ready again. If all are always at work, set
\`maxUnavailable: 1\`. A template that cannot start stops the rollout, and old pods stay.

Pods that are refused (quota, admission) or fail (crash, image, eviction) are tried again after 10 s, 20 s, 40 s… up to
300 s, one pod first.

## Why did it do that?

\`kubectl get wp\` shows the last reason, \`kubectl describe wp\` its numbers, the conditions and events. Each changed decision
is one line of the operator's log with everything it was made from, and the last 1,000 are at \`/decisions\` of its metrics
port. \`escriba operator replay FILE\` decides each again with the version at hand and shows what would differ.
`;
}

/** `4 after 0 s, 8 after 16 s`. */
function steps(list: [second: number, desired: number][]): string {
  return list.map(([second, desired]) => `${desired} after ${second} s`).join(", ");
}
