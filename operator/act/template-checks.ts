import type { Clock } from "../clock.ts";
import { ApiError, type KubernetesApi } from "../kubernetes/api.ts";
import { PODS } from "../kubernetes/resources.ts";
import type { TemplateCheck } from "../observation.ts";
import type { WorkerPool } from "../workerpool/types.ts";
import { podBody } from "./pod-body.ts";
import { refusalReason } from "./refusal.ts";

/** A refusal may have had its reason outside of the template (a class, a policy, an account that was missing). */
const ASK_AGAIN_MS = 30_000;

interface Asked {
  generation: number;
  template: string;
  check: TemplateCheck;
  at: number;
}

/** Tries every generation's template on the API server, without keeping the pod. */
export class TemplateChecks {
  readonly #api: KubernetesApi;
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked>();

  constructor(api: KubernetesApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Asks when this template has not been asked yet, or was not accepted a while ago. Never rejects. */
  async check(pool: WorkerPool, templateHash: string): Promise<TemplateCheck> {
    const { uid, generation } = pool.metadata;
    const asked = this.#asked.get(uid);
    // `spec.replicas` makes generations too, without a new template.
    if (asked?.generation === generation && !this.#isOld(asked)) return asked.check;
    const template = JSON.stringify(pool.spec.template);
    const at = this.#clock.monotonic();
    const same = asked?.template === template && !this.#isOld(asked);
    const next = same
      ? { ...asked, generation }
      : { generation, template, at, check: await this.#ask(pool, templateHash) };
    this.#asked.set(uid, next);
    return next.check;
  }

  forget(uid: string): void {
    this.#asked.delete(uid);
  }

  #isOld({ check, at }: Asked): boolean {
    return check.verdict !== "Accepted" && this.#clock.monotonic() - at >= ASK_AGAIN_MS;
  }

  async #ask(pool: WorkerPool, templateHash: string): Promise<TemplateCheck> {
    try {
      await this.#api.create(PODS, podBody(pool, templateHash, `${pool.metadata.name}-${templateHash}-check`), {
        dryRun: true,
      });
      return { verdict: "Accepted", reason: "Accepted", message: "The API server accepts pods of this template." };
    } catch (error) {
      const { message } = error as Error;
      const reason = error instanceof ApiError ? refusalReason(error) : null;
      if (reason === null) return { verdict: "Unknown", reason: "NotAsked", message };
      // A quota is met before a pod is looked at, and says nothing about it.
      return { verdict: reason === "Quota" ? "Unknown" : "Refused", reason, message };
    }
  }
}
