import { randomUUID } from "node:crypto";
import { refundCharge } from "../../billing/credit.ts";
import { parseAmount, wireEur } from "../../billing/money.ts";
import { type Command, UsageError } from "../command.ts";
import { AdminError, administer, organizationNamed, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { positionals, values, json } = readArguments(args, ["ORGANIZATION", "ID"], {
    amount: { type: "string" },
    reference: { type: "string" },
    note: { type: "string", default: "" },
  });
  const [name = "", subjectId = ""] = positionals;
  let amountEur: string | null;
  try {
    amountEur = values.amount === undefined ? null : parseAmount(values.amount);
  } catch (error) {
    throw new UsageError(`--amount: ${(error as Error).message}`);
  }
  const reference = values.reference ?? randomUUID();
  if (reference === "") throw new UsageError("--reference is not empty");
  return administer(io, json, async (db) => {
    const { id: organizationId, slug } = await organizationNamed(db, name);
    const { note = "" } = values;
    const refunded = await refundCharge(db, { organizationId, subjectId, amountEur, reference, note });
    switch (refunded.outcome) {
      case "charge_not_found":
        throw new AdminError(`${slug} was never charged for ${JSON.stringify(subjectId)}`);
      case "exceeds_charge":
        throw new AdminError(`${refunded.left} EUR are left of that charge`);
      case "reference_reused":
        throw new AdminError(`the reference ${JSON.stringify(reference)} was used for another refund`);
    }
    const balance = wireEur(refunded.balance);
    const was = refunded.outcome === "repeated" ? "was refunded before under this reference" : "refunded";
    return {
      json: { organization: slug, id: subjectId, outcome: refunded.outcome, balance_eur: balance, reference },
      text: `${subjectId} ${was}; the balance of ${slug} is ${balance} EUR (reference ${reference}).`,
    };
  });
}

export const creditRefund: Command = {
  usage: "ORGANIZATION ID [--amount EUR] [--reference TEXT] [--note TEXT] [--json]",
  details:
    "Gives back what was charged for ID, a transcript or a call of chat or embeddings (`escriba usage --calls` lists " +
    "them): --amount, else what is left of the charge. Refunds of one charge never exceed it. --reference makes the " +
    "command safe to repeat: the same reference refunds once. No minutes come back: the month's volume tier stays.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
