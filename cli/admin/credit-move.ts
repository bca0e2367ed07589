import { randomUUID } from "node:crypto";
import type { addCredit } from "../../billing/credit.ts";
import { parseAmount, wireEur } from "../../billing/money.ts";
import { UsageError } from "../command.ts";
import { AdminError, administer, organizationNamed, readArguments } from "./administration.ts";
import type { AdminIo } from "./config.ts";

/** What `credit add` and `credit debit` share; `done` says it of an amount: `added`. */
export async function moveCredit(
  args: string[],
  io: AdminIo,
  { move, done }: { move: typeof addCredit; done: string },
): Promise<number> {
  const { positionals, values, json } = readArguments(args, ["ORGANIZATION", "AMOUNT"], {
    reference: { type: "string" },
    note: { type: "string", default: "" },
  });
  const [name = "", typed = ""] = positionals;
  let amountEur: string;
  try {
    amountEur = parseAmount(typed);
  } catch (error) {
    throw new UsageError(`AMOUNT: ${(error as Error).message}`);
  }
  const reference = values.reference ?? randomUUID();
  if (reference === "") throw new UsageError("--reference is not empty");
  return administer(io, json, async (db) => {
    const { id: organizationId, slug } = await organizationNamed(db, name);
    const moved = await move(db, { organizationId, amountEur, reference, note: values.note ?? "" });
    switch (moved.outcome) {
      case "organization_not_found":
        throw new AdminError(`there is no organization ${name}`);
      case "reference_reused":
        throw new AdminError(`the reference ${JSON.stringify(reference)} was used for another amount`);
      case "insufficient_credit":
        throw new AdminError(`no more than ${moved.spendable} EUR of ${slug} can be taken now`);
    }
    const balance = wireEur(moved.balance);
    const was = moved.outcome === "repeated" ? `was ${done} before under this reference` : done;
    return {
      json: { organization: slug, outcome: moved.outcome, balance_eur: balance, reference },
      text: `${amountEur} EUR ${was}; the balance of ${slug} is ${balance} EUR (reference ${reference}).`,
    };
  });
}
