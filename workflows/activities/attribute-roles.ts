import { Context } from "@temporalio/activity";
import type { Transcript } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import { attributeRoles as attribute } from "../../understanding/roles/attribute.ts";
import type { Roles } from "../../understanding/types.ts";
import { StepFailed } from "../failures.ts";
import type { Attributed, LanguageSteps } from "../steps.ts";
import { readObject, writeObject } from "./objects.ts";
import type { LanguageDependencies } from "./understand.ts";

/** `result.json` → `roles.json`. Found there, nothing is done again. */
export function attributeRoles({ store }: Pick<LanguageDependencies, "store">): LanguageSteps["attributeRoles"] {
  return async ({ transcriptId }) => {
    const signal = Context.current().cancellationSignal;
    const known = await readObject<Roles>(store, keys.roles(transcriptId), signal);
    if (known) return counts(known);
    const transcript = await readObject<Transcript>(store, keys.result(transcriptId), signal);
    if (!transcript) throw new StepFailed("source_missing", new Error("result.json is gone"));
    const roles = await attribute({ call: transcript, warnings: transcript.warnings });
    await writeObject(store, keys.roles(transcriptId), roles);
    return counts(roles);
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
