import { Context } from "@temporalio/activity";
import type { Logger } from "../../process/log.ts";
import { rolesUsable } from "../../speech/roles.ts";
import type { Transcript } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import type { UnderstandingMetrics } from "../../understanding/metrics.ts";
import type { Calibration } from "../../understanding/roles/calibration-setting.ts";
import type { GroupResult, Request, Roles } from "../../understanding/types.ts";
import { understandGroup } from "../../understanding/understand.ts";
import type { UpstreamClients } from "../../upstream/clients.ts";
import { StepFailed } from "../failures.ts";
import type { LanguageSteps, Understood } from "../steps.ts";
import { attributed } from "./attributed.ts";
import { readObject, writeObject } from "./objects.ts";

export interface LanguageDependencies {
  store: ObjectStore;
  upstreams: UpstreamClients;
  /** Model id of the server that reads transcripts. */
  model: string;
  /** Seconds that a group may take for each second of recognition; 0: as long as it takes. */
  patience: number;
  /** Of the model's vote on roles; null for a model that was never calibrated. */
  rolesCalibration: Calibration | null;
  log: Logger;
  metrics: UnderstandingMetrics;
  random: () => number;
  now: () => number;
}

/** Well inside the heartbeat's time-out. */
const BEAT_MS = 10_000;
/** Of a recording of a few words. */
const LEAST_PATIENCE_MS = 2_000;

/** One group of modules → `understanding/<group>.json`. Found there, it is not asked again. */
export function understand(dependencies: LanguageDependencies): LanguageSteps["understand"] {
  const { store, upstreams, model, patience, log, metrics, random, now } = dependencies;
  return async ({ transcriptId, group, modules }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const key = keys.understanding(transcriptId, group);
    const known = await readObject<GroupResult>(store, key, signal);
    if (known) return counts(known);
    const [transcript, roles, request] = await Promise.all([
      readObject<Transcript>(store, keys.result(transcriptId), signal),
      readObject<Roles>(store, keys.roles(transcriptId), signal),
      readObject<Request>(store, keys.understandingRequest(transcriptId), signal),
    ]);
    if (!transcript) throw new StepFailed("source_missing", new Error("result.json is gone"));
    // The client of the model's server watches its silences itself; this says that we are still here to watch.
    const beating = setInterval(() => context.heartbeat(group), BEAT_MS);
    try {
      const call = attributed(transcript, roles);
      const patienceMs =
        patience > 0 ? Math.max(LEAST_PATIENCE_MS, patience * transcript.metrics.asrSeconds * 1_000) : undefined;
      const result = await understandGroup(
        { call, rolesUsable: rolesUsable(call), group, modules, request: request ?? {} },
        { client: upstreams.of(model), signal, log, metrics, random, now, patienceMs },
      );
      await writeObject(store, key, result);
      return counts(result);
    } finally {
      clearInterval(beating);
    }
  };
}

function counts({ delivered, warnings, metrics }: GroupResult): Understood {
  return {
    delivered: delivered.length,
    undelivered: warnings.length,
    promptTokens: metrics.promptTokens,
    completionTokens: metrics.completionTokens,
  };
}
