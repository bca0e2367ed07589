import type { DecisionReason } from "../../operator/workerpool/reasons.ts";
import { World } from "../../test/operator/decide/world.ts";

/** What the picture in docs/scaling.md shows: twelve minutes of one pool, decided by the real function. */
export interface Moment {
  second: number;
  /** Chunks that are not done, of organizations A, B and C. */
  outstanding: number[];
  desired: number;
  /** Pods that serve. */
  serving: number;
  busy: number;
  /** Pods there are, in any state. */
  pods: number;
  reason: DecisionReason;
}

export const story = {
  seconds: 720,
  /** Seconds of audio in a chunk, and audio-seconds a slot does in a second: a chunk takes 30 s. */
  chunkSeconds: 300,
  speed: 10,
  /** Seconds from a pod's node to its first task. */
  loadSeconds: 20,
  scaling: { maxReplicas: 10, organizationSlots: 6, targetWaitSeconds: 60 },
  /** Who posts how many chunks, and when. */
  posts: [
    { second: 30, organization: 0, chunks: 60 },
    { second: 150, organization: 1, chunks: 1 },
    { second: 240, organization: 2, chunks: 24 },
  ],
  /** While the API does not answer. */
  unknown: { from: 360, to: 450 },
};

/** Plays the story. Pods take chunks from the organizations in turn, as fairness on the server has it. */
export function timeline(): Moment[] {
  const world = new World({ assumedSpeed: story.speed, scaling: story.scaling }, 20);
  world.loadSeconds = story.loadSeconds;
  const waiting = [0, 0, 0];
  const running = new Map<string, { organization: number; until: number }>();
  const moments: Moment[] = [];
  let turn = 0;
  while (world.seconds < story.seconds) {
    world.live();
    const { seconds } = world;
    for (const { second, organization, chunks } of story.posts)
      if (second > seconds - 2 && second <= seconds) waiting[organization] = (waiting[organization] ?? 0) + chunks;
    for (const [index, pod] of world.pods.entries()) {
      if ((running.get(pod.uid)?.until ?? Number.POSITIVE_INFINITY) <= seconds) {
        running.delete(pod.uid);
        world.finish(index);
      }
      if (pod.worker?.state !== "serving" || pod.worker.busy > 0 || !waiting.some((chunks) => chunks > 0)) continue;
      do turn = (turn + 1) % waiting.length;
      while (waiting[turn] === 0);
      waiting[turn] = (waiting[turn] ?? 0) - 1;
      running.set(pod.uid, { organization: turn, until: seconds + story.chunkSeconds / story.speed });
      world.take(index);
    }
    const outstanding = waiting.map(
      (chunks, organization) =>
        chunks + [...running.values()].filter((task) => task.organization === organization).length,
    );
    const known = seconds < story.unknown.from || seconds >= story.unknown.to;
    world.backlog = known ? outstanding : null;
    const { plan } = world.tick();
    moments.push({
      second: seconds,
      outstanding,
      desired: plan.decision.desired,
      serving: world.pods.filter(({ worker }) => worker?.state === "serving").length,
      busy: world.pods.filter(({ worker }) => (worker?.busy ?? 0) > 0).length,
      pods: world.pods.length,
      reason: plan.decision.reason,
    });
  }
  return moments;
}
