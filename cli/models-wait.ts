import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CATALOGUE } from "../models/catalogue.ts";
import { modelsSettings, readModelsConfig } from "../models/config.ts";
import { ensure } from "../models/ensure.ts";
import { type Command, UsageError } from "./command.ts";

const LOOK_MS = 2_000;

/**
 * What an init container runs where a Job fills the cache that pods share: a worker that started before it would end
 * again and again, and count as one that cannot start.
 */
export const modelsWait: Command = {
  usage: "NAME… [--dir DIR]",
  details:
    "Ends when every model named is whole in the cache; until then it looks every 2 s, and says what it waits for.",
  settings: modelsSettings,
  async run(args, environment) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { dir: { type: "string" } } });
    if (positionals.length === 0) throw new UsageError("name the models to wait for");
    const unknown = positionals.filter((name) => !Object.hasOwn(CATALOGUE, name));
    if (unknown.length > 0) throw new UsageError(`no model is called ${unknown.join(", ")}`);
    const dir = values.dir ?? readModelsConfig(environment).dir;
    for (const name of positionals) {
      for (let said = ""; ; ) {
        const missing = await ensure(name, { dir, offline: true }).then(
          () => null,
          (error: Error) => error.message,
        );
        if (missing === null) break;
        if (missing !== said) console.error(missing);
        said = missing;
        await sleep(LOOK_MS);
      }
      console.log(`${name} is there`);
    }
    return 0;
  },
};
