import { listCharges } from "../../billing/charges.ts";
import { type InvoiceLine, readInvoice } from "../../billing/invoice.ts";
import { eurText, nanoEur } from "../../billing/money.ts";
import type { Database } from "../../storage/database.ts";
import { type Command, UsageError } from "../command.ts";
import { AdminError, type Answer, administer, organizationNamed, readArguments } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";
import { table } from "./table.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { positionals, values, json } = readArguments(args, ["ORGANIZATION"], {
    month: { type: "string" },
    calls: { type: "boolean", default: false },
  });
  const { month, calls } = values;
  if (month === undefined || !/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
    throw new UsageError("--month is a year and a month such as 2026-11");
  }
  return administer(io, json, async (db) => {
    const { id, slug } = await organizationNamed(db, positionals[0] ?? "");
    return calls ? printCalls(db, io, { id, slug, month, json }) : invoice(db, { id, slug, month });
  });
}

async function invoice(
  db: Database,
  { id, slug, month }: { id: string; slug: string; month: string },
): Promise<Answer> {
  const { lines, totalEur, charges } = await readInvoice(db, id, month);
  const rows = lines.map((line) => [line.product, quantity(line), price(line), line.amountEur]);
  return {
    json: {
      ...{ object: "invoice", organization: slug, month, currency: "EUR", charges },
      lines: lines.map((line) => ({
        ...{ product: line.product, quantity: Number(line.quantity), unit: line.unit },
        ...{ unit_price_eur: line.price?.eur ?? null, price_per: line.price?.per ?? null },
        amount_eur: line.amountEur,
      })),
      total_eur: totalEur,
    },
    text: [
      `${slug}, ${month} (UTC), EUR`,
      "",
      ...table(
        [["Product", "Quantity", "Price", "Amount"], ...rows, ["Total", `${charges} charges`, "", totalEur]],
        "lrrr",
      ),
      "",
      "The total is the ledger's revenue of the month.",
    ].join("\n"),
  };
}

const quantity = ({ quantity, unit }: InvoiceLine) => `${quantity} ${unit}${quantity === "1" ? "" : "s"}`;
const price = ({ price }: InvoiceLine) => (price ? `${price.eur} / ${price.per}` : "");

/** A line a charge, written as they are read: a month may have millions. Nothing is said after the last one. */
async function printCalls(
  db: Database,
  io: AdminIo,
  { id, slug, month, json }: { id: string; slug: string; month: string; json: boolean },
): Promise<Answer | null> {
  let [count, total] = [0, 0n];
  for await (const charge of listCharges(db, id, month)) {
    count += 1;
    total += nanoEur(charge.amount_eur);
    if (json) io.out(JSON.stringify(charge));
    else {
      const { minutes, prompt_tokens, completion_tokens, estimated } = charge;
      const amount = minutes === null ? tokens(prompt_tokens, completion_tokens, estimated) : `${minutes} min`;
      const what = charge.model ?? charge.kind;
      io.out(
        [charge.charged_at, charge.id.padEnd(33), what.padEnd(19), amount.padEnd(24), charge.amount_eur].join("  "),
      );
    }
  }
  const invoiced = (await readInvoice(db, id, month)).totalEur;
  // A charge may have come in between the two; only a month that is over is certain to agree.
  if (eurText(total) !== invoiced && month < (await currentMonth(db))) {
    throw new AdminError(`the charges of ${month} sum to ${eurText(total)} EUR, its invoice to ${invoiced} EUR`);
  }
  return json ? null : { json: {}, text: `${count} charges and refunds of ${slug} in ${month}: ${eurText(total)} EUR` };
}

function tokens(prompt: number | null, completion: number | null, estimated: boolean): string {
  if (prompt === null) return "";
  return `${prompt} + ${completion} tokens${estimated ? " (estimated)" : ""}`;
}

async function currentMonth(db: Database): Promise<string> {
  const [row] = await db.$queryRaw<{ month: string }[]>`SELECT month_of(clock_timestamp()) AS month`;
  return row?.month ?? "";
}

export const usageCommand: Command = {
  usage: "ORGANIZATION --month YYYY-MM [--calls] [--json]",
  details: [
    "The invoice of a month (UTC): quantity, price and amount of each product, in EUR with nine places. A charge belongs",
    "to the month of its request. `rounding` is what rounding each transcript to nine places makes in sum, `written_off`",
    "what a balance did not cover. The total is checked against the ledger's revenue of the month; where they differ",
    "nothing is printed and the exit code is 1.",
    "",
    "--calls lists every charge and refund instead, one a line; with --json one JSON object a line.",
  ].join("\n"),
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
