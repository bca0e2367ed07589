import { Context } from "@temporalio/activity";
import type { Transcript } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import { attributeRoles as attribute } from "../../understanding/roles/attribute.ts";
import { barred, calibratedVote } from "../../understanding/roles/calibrated-model.ts";
import type { Roles } from "../../understanding/types.ts";
import { StepFailed } from "../failures.ts";
import type { Attributed, LanguageSteps } from "../steps.ts";
import { readObject, writeObject } from "./objects.ts";
import type { LanguageDependencies } from "./understand.ts";

/** Well inside the heartbeat's time-out: the client of the model's server watches its silences itself. */
const BEAT_MS = 10_000;

/** `result.json` → `roles.json`. Found there, nobody is asked again. */
export function attributeRoles(parts: Omit<LanguageDependencies, "patience" | "now">): LanguageSteps["attributeRoles"] {
  const { store, upstreams, model, rolesCalibration, random, log, metrics } = parts;
  const client = upstreams.of(model);
  const voting = client && !barred(rolesCalibration, client.settings.model);
  return async ({ transcriptId }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const known = await readObject<Roles>(store, keys.roles(transcriptId), signal);
    if (known) return counts(known);
    const transcript = await readObject<Transcript>(store, keys.result(transcriptId), signal);
    if (!transcript) throw new StepFailed("source_missing", new Error("result.json is gone"));
    const beating = setInterval(() => context.heartbeat("roles"), BEAT_MS);
    try {
      const roles = await attribute(
        { call: transcript, warnings: transcript.warnings },
        voting && rolesCalibration
          ? calibratedVote(rolesCalibration, { client, random, signal, log, metrics })
          : undefined,
      );
      await writeObject(store, keys.roles(transcriptId), roles);
      return counts(roles);
    } finally {
      clearInterval(beating);
    }
  };
}

function counts({ roles, warnings }: Roles): Attributed {
  const given = Object.values(roles);
  return {
    agents: given.filter((role) => role === "agent").length,
    customers: given.filter((role) => role === "customer").length,
    warnings: warnings.length,
  };
}
