import type { Clock } from "../clock.ts";
import type { KubernetesApi } from "../kubernetes/api.ts";
import { SECRETS } from "../kubernetes/resources.ts";

export interface SecretKey {
  name: string;
  key: string;
}

/** A changed token is used within this time, and at once after a refusal (`forget`). */
const KEPT_MS = 60_000;

/** Tokens out of Secrets in the pools' namespaces, each read by its name: no right to list secrets is needed. */
export class Tokens {
  readonly #api: KubernetesApi;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { token: Promise<string>; at: number }>();

  constructor(api: KubernetesApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Rejects with the name of what is missing. */
  read(namespace: string, { name, key }: SecretKey): Promise<string> {
    const id = `${namespace}/${name}/${key}`;
    const kept = this.#kept.get(id);
    if (kept && this.#clock.monotonic() - kept.at < KEPT_MS) return kept.token;
    const token = this.#fetch(namespace, name, key);
    this.#kept.set(id, { token, at: this.#clock.monotonic() });
    token.catch(() => this.#kept.delete(id));
    return token;
  }

  forget(namespace: string, { name, key }: SecretKey): void {
    this.#kept.delete(`${namespace}/${name}/${key}`);
  }

  async #fetch(namespace: string, name: string, key: string): Promise<string> {
    const secret = await this.#api.get(SECRETS, namespace, name);
    const value = secret.data?.[key];
    if (value === undefined) throw new Error(`secret ${namespace}/${name} has no key ${key}`);
    return Buffer.from(value, "base64").toString("utf8").trim();
  }
}
