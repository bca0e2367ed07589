import { randomUUID } from "node:crypto";
import { addCredit } from "../../billing/credit.ts";
import { parseAmount, wireEur } from "../../billing/money.ts";
import { type Command, UsageError } from "../command.ts";
import { AdminError, administer, organizationNamed, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
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
    const organization = await organizationNamed(db, name);
    const moved = await addCredit(db, {
      organizationId: organization.id,
      amountEur,
      reference,
      note: values.note ?? "",
    });
    if (moved.outcome === "organization_not_found") throw new AdminError(`there is no organization ${name}`);
    if (moved.outcome === "reference_reused") {
      throw new AdminError(`the reference ${JSON.stringify(reference)} was used for another amount`);
    }
    const balance = wireEur(moved.balance);
    const was = moved.outcome === "repeated" ? "was added before under this reference" : "added";
    return {
      json: { organization: organization.slug, outcome: moved.outcome, balance_eur: balance, reference },
      text: `${amountEur} EUR ${was}; the balance of ${organization.slug} is ${balance} EUR (reference ${reference}).`,
    };
  });
}

export const creditAdd: Command = {
  usage: "ORGANIZATION AMOUNT [--reference TEXT] [--note TEXT] [--json]",
  details:
    "AMOUNT is in euros, e.g. 25 or 12.50. --reference (an invoice's number, say) makes the command safe to repeat: " +
    "the same reference adds once.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
