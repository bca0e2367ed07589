import type { Random } from "../../../eval/random.ts";
import type { Clock } from "../../../operator/clock.ts";
import type { Pod, PodCondition } from "../../../operator/kubernetes/objects.ts";
import { PODS } from "../../../operator/kubernetes/resources.ts";
import type { MemoryApi } from "./memory-api.ts";
import type { Work } from "./work.ts";

interface Node {
  name: string;
  gpus: number;
  alive: boolean;
}

/** What happens next to a pod, by the cluster's doing. */
interface Life {
  startAt: number;
  readyAt: number;
  lostAt?: number;
}

/** Of an image that cannot be pulled. */
export const BAD_IMAGE = "example.invalid/missing";
/** From a node's silence to its pods being marked, and from there to their eviction. */
const MARKED_MS = 4_000;
const EVICTED_MS = 12_000;
/** From an eviction on a node that never answers to somebody removing the pod by force. */
const FORCED_MS = 25_000;

/** Scheduler, kubelets and node controller of a small cluster: they start pods, end them, and lose nodes. */
export class Kubelet {
  readonly #api: MemoryApi;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #work: Work;
  readonly #lives = new Map<string, Life>();
  #addresses = 0;
  readonly nodes: Node[];

  constructor(api: MemoryApi, clock: Clock, random: Random, work: Work, nodes: { count: number; gpus: number }) {
    this.#api = api;
    this.#clock = clock;
    this.#random = random;
    this.#work = work;
    this.nodes = Array.from({ length: nodes.count }, (_, index) => ({
      name: `node-${index}`,
      gpus: nodes.gpus,
      alive: true,
    }));
  }

  step(): void {
    const now = this.#clock.now();
    for (const pod of this.#api.peek(PODS)) {
      const uid = pod.metadata.uid as string;
      const life = this.#lives.get(uid);
      const node = this.nodes.find(({ name }) => name === pod.spec.nodeName);
      if (pod.metadata.deletionTimestamp) this.#end(pod, node, now);
      else if (!node) this.#schedule(pod, now);
      else if (!node.alive) this.#lose(pod, life as Life, now);
      else if (life?.lostAt !== undefined) this.#find(pod, life, now);
      else if (pod.status?.phase === "Pending" && now >= (life as Life).startAt) this.#start(pod);
      else if (pod.status?.phase === "Running" && now >= (life as Life).readyAt) this.#ready(pod);
    }
  }

  /** The container ends and is started again: what it had is lost, by nobody's wish. */
  crash(pod: Pod): void {
    this.#work.kill(pod.metadata.uid as string);
    this.#run(pod, (pod.status?.containerStatuses?.[0]?.restartCount ?? 0) + 1);
  }

  /** The kubelet ends it for want of something: phase Failed. */
  evict(pod: Pod): void {
    this.#work.kill(pod.metadata.uid as string);
    this.#api.put(PODS, {
      ...pod,
      status: { ...pod.status, phase: "Failed", reason: "Evicted", message: "low on memory" },
    });
  }

  #schedule(pod: Pod, now: number): void {
    const ended = ({ status }: Pod) => status?.phase === "Failed" || status?.phase === "Succeeded";
    const held = (node: Node) => this.#api.peek(PODS).filter((one) => one.spec.nodeName === node.name && !ended(one));
    const node = this.nodes.find((one) => one.alive && held(one).length < one.gpus);
    if (!node) {
      if (pod.status?.conditions) return;
      const reason = { reason: "Unschedulable", message: `0/${this.nodes.length} nodes: no gpu` };
      this.#put(pod, { conditions: [this.#is("PodScheduled", "False", reason)] });
      return;
    }
    const startAt = now + this.#random.between(200, 3_000);
    this.#lives.set(pod.metadata.uid as string, { startAt, readyAt: startAt + this.#random.between(500, 5_000) });
    const bound = { ...pod, spec: { ...pod.spec, nodeName: node.name } };
    this.#put(bound, { conditions: [this.#is("PodScheduled", "True")] });
  }

  #start(pod: Pod): void {
    if (pod.spec.containers[0]?.image !== BAD_IMAGE) {
      this.#run(pod, 0);
      return;
    }
    if (pod.status?.containerStatuses) return;
    const state = { waiting: { reason: "ImagePullBackOff", message: "not found" } };
    this.#put(pod, { containerStatuses: [{ name: "worker", restartCount: 0, state }] });
  }

  #run(pod: Pod, restartCount: number): void {
    const uid = pod.metadata.uid as string;
    const number = ++this.#addresses;
    const podIP = pod.status?.podIP ?? `10.0.${number >> 8}.${number & 255}`;
    const readyAt = this.#clock.now() + this.#random.between(500, 5_000);
    this.#lives.set(uid, { startAt: 0, readyAt });
    this.#work.start(uid, `http://${podIP}:9464`, 2);
    const state = { running: { startedAt: this.#time() } };
    this.#put(pod, {
      phase: "Running",
      podIP,
      conditions: this.#conditions("False", "False"),
      containerStatuses: [{ name: "worker", restartCount, state }],
    });
  }

  #ready(pod: Pod): void {
    if (pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True")) return;
    this.#work.serve(pod.metadata.uid as string);
    this.#put(pod, { conditions: this.#conditions("True", "True") });
  }

  /** The node does not answer any more: its work is gone, and in time the node controller says so. */
  #lose(pod: Pod, life: Life, now: number): void {
    const uid = pod.metadata.uid as string;
    this.#work.kill(uid);
    life.lostAt ??= now;
    const marked = pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False");
    if (now - life.lostAt >= EVICTED_MS) {
      this.#api.put(PODS, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: this.#time() } });
    } else if (now - life.lostAt >= MARKED_MS && pod.status?.phase === "Running" && !marked) {
      this.#put(pod, { conditions: this.#conditions("False", "True") });
    }
  }

  /** The node is back before its pods were evicted: they start anew. */
  #find(pod: Pod, life: Life, now: number): void {
    delete life.lostAt;
    if (pod.status?.phase === "Running") this.#run(pod, (pod.status.containerStatuses?.[0]?.restartCount ?? 0) + 1);
    else life.startAt = now + 1_000;
  }

  #end(pod: Pod, node: Node | undefined, now: number): void {
    const uid = pod.metadata.uid as string;
    const until = Date.parse(pod.metadata.deletionTimestamp as string);
    if (node && !node.alive) {
      this.#work.kill(uid);
      if (now < until + FORCED_MS) return;
    } else {
      this.#work.terminate(uid);
      const held = this.#work.held(uid);
      if (held && held.permits > 0 && now < until) return;
    }
    this.#work.kill(uid);
    this.#lives.delete(uid);
    this.#api.remove(PODS, pod);
  }

  #put(pod: Pod, status: Pod["status"]): void {
    this.#api.put(PODS, { ...pod, status: { ...pod.status, ...status } });
  }

  #conditions(ready: "True" | "False", containersReady: "True" | "False"): PodCondition[] {
    return [this.#is("PodScheduled", "True"), this.#is("ContainersReady", containersReady), this.#is("Ready", ready)];
  }

  #is(type: string, status: "True" | "False", more: Partial<PodCondition> = {}): PodCondition {
    return { type, status, lastTransitionTime: this.#time(), ...more };
  }

  #time(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
