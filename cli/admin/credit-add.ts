import { addCredit } from "../../billing/credit.ts";
import type { Command } from "../command.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";
import { moveCredit } from "./credit-move.ts";

export const run = (args: string[], io: AdminIo): Promise<number> =>
  moveCredit(args, io, { move: addCredit, done: "added" });

export const creditAdd: Command = {
  usage: "ORGANIZATION AMOUNT [--reference TEXT] [--note TEXT] [--json]",
  details:
    "AMOUNT is in euros, e.g. 25 or 12.50. --reference (an invoice's number, say) makes the command safe to repeat: " +
    "the same reference adds once.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
