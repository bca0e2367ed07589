import { debitCredit } from "../../billing/credit.ts";
import type { Command } from "../command.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";
import { moveCredit } from "./credit-move.ts";

export const run = (args: string[], io: AdminIo): Promise<number> =>
  moveCredit(args, io, { move: debitCredit, done: "taken" });

export const creditDebit: Command = {
  usage: "ORGANIZATION AMOUNT [--reference TEXT] [--note TEXT] [--json]",
  details:
    "Takes AMOUNT euros back from the prepaid balance, e.g. after a top-up by mistake; never more than is spendable " +
    "now. May fire credit.low and credit.exhausted. --reference makes the command safe to repeat: the same reference " +
    "debits once.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
