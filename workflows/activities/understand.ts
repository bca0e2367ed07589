import { Context } from "@temporalio/activity";
import type { Transcript } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
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
}

/** Well inside the heartbeat's time-out. */
const BEAT_MS = 10_000;

/** One group of modules → `understanding/<group>.json`. Found there, it is not asked again. */
export function understand({ store, upstreams, model }: LanguageDependencies): LanguageSteps["understand"] {
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
      const result = await understandGroup(
        { call: attributed(transcript, roles), group, modules, request: request ?? {} },
        { client: upstreams.of(model), signal },
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
