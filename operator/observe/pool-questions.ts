import type { Pod, WorkerPoolObject } from "../kubernetes/objects.ts";
import type { WorkerPool } from "../workerpool/types.ts";
import type { DemandAddress, DemandAnswers } from "./demand.ts";
import { isOwnedBy, workerAddress } from "./pod.ts";
import { type ReadPool, readPool } from "./read-pool.ts";
import type { Tokens } from "./tokens.ts";
import type { AskedPod, WorkerAnswers } from "./worker-answers.ts";

export interface QuestionParts {
  pools: Iterable<WorkerPoolObject>;
  pods: Iterable<Pod>;
  demand: DemandAnswers;
  answers: WorkerAnswers;
  tokens: Tokens;
}

/** What is not in the API server: what waits for the pools, and how their workers are. */
export class PoolQuestions {
  readonly #parts: QuestionParts;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  /** Resolves when everybody has answered or has taken too long. */
  async ask(): Promise<void> {
    const pools = [...this.#parts.pools].flatMap((object) => {
      try {
        return [readPool(object).pool];
      } catch {
        // The decision about it says why.
        return [];
      }
    });
    const addresses = pools.flatMap(({ metadata: { namespace }, spec: { demand } }): DemandAddress[] =>
      demand ? [{ namespace, ...demand }] : [],
    );
    await Promise.all([
      this.#parts.demand.refresh(addresses),
      this.#parts.answers.refresh(pools.flatMap((pool) => this.#workersOf(pool))),
    ]);
  }

  /**
   * Asks what was never asked about this pool: at the beginning of a term, of a new pool, of pods that have just
   * started. Nobody is to take "not asked yet" for "does not answer".
   */
  async askNew({ pool }: ReadPool): Promise<void> {
    const { demand } = pool.spec;
    await Promise.all([
      demand && this.#parts.demand.askNew({ namespace: pool.metadata.namespace, ...demand }),
      this.#parts.answers.askNew(this.#workersOf(pool)),
    ]);
  }

  #workersOf({ metadata: { namespace, uid }, spec: { drain } }: WorkerPool): AskedPod[] {
    const { pods, tokens } = this.#parts;
    const { tokenSecret } = drain;
    return [...pods].flatMap((pod) => {
      if (pod.metadata.namespace !== namespace || pod.metadata.deletionTimestamp || !isOwnedBy(pod, uid)) return [];
      const address = workerAddress(pod, drain.port);
      if (address === null) return [];
      return [
        {
          uid: pod.metadata.uid as string,
          address,
          token: async () => (tokenSecret ? tokens.read(namespace, tokenSecret) : null),
          refused: () => tokenSecret && tokens.forget(namespace, tokenSecret),
        },
      ];
    });
  }
}
