import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { describeSettings } from "../process/settings.ts";
import { CATALOGUE, type CatalogueEntry } from "./catalogue.ts";
import { modelsSettings, readModelsConfig } from "./config.ts";
import { ensure } from "./ensure.ts";
import type { Progress } from "./progress.ts";

const MEGABYTE = 1e6;

function help(): string {
  const names = Object.entries<CatalogueEntry>(CATALOGUE).map(
    ([name, { title, licence, optional }]) =>
      `  ${name.padEnd(22)} ${title} (${licence})${optional ? ", when asked for by name" : ""}`,
  );
  const settings = describeSettings(modelsSettings).map(
    (setting) => `  ${setting.name}  ${setting.description}${setting.default && ` Default: ${setting.default}`}`,
  );
  return `npm run models -- fetch [NAME…] [--dir DIR] [--hub URL] [--platform PLATFORM]

Fetches models, converts them and prints their directories. Without a name: all that are used unless settings say
otherwise. For a machine without the network, run this elsewhere with --dir and copy what DIR holds into that machine's
model cache.

  --dir DIR            the cache; default ESCRIBA_MODELS_DIR, else ~/.cache/escriba/models
  --hub URL            hub or mirror to ask first
  --platform PLATFORM  of the machine it is for, e.g. linux-x64, darwin-arm64; default: this one

Models
${names.join("\n")}

Settings
${settings.join("\n")}
`;
}

function usedByDefault(): string[] {
  return Object.entries<CatalogueEntry>(CATALOGUE).flatMap(([name, { optional }]) => (optional ? [] : [name]));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      dir: { type: "string" },
      hub: { type: "string" },
      platform: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, ...names] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(help());
    return;
  }
  if (command !== "fetch") throw new Error(`no command ${command}; see --help`);
  const config = readModelsConfig(process.env);
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error("interrupted; the download resumes when asked again"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  for (const name of names.length > 0 ? names : usedByDefault()) {
    const show = progressView();
    try {
      const directory = await ensure(name, {
        dir: values.dir ? resolve(values.dir) : config.dir,
        hub: values.hub ?? config.hub,
        ...(values.platform && { platform: values.platform }),
        onProgress: show.update,
        signal: stop.signal,
      });
      show.stop();
      process.stdout.write(`${directory}\n`);
    } finally {
      show.stop();
    }
  }
}

/** A bar on a terminal; elsewhere a line when a phase begins. */
function progressView(): { update(progress: Progress): void; stop(): void } {
  let phase = "";
  let bar: SingleBar | undefined;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    stop,
    update({ name, phase: next, done, total, file }) {
      const megabytes = (total / MEGABYTE).toFixed(0);
      if (next !== phase) {
        phase = next;
        stop();
        if (next === "waiting") process.stderr.write(`${name}: waiting, ${file}\n`);
        else if (!process.stderr.isTTY) process.stderr.write(`${name}: ${next}, ${megabytes} MB\n`);
        else {
          const format = `${name.padEnd(14)} ${next.padEnd(8)} {bar} {percentage} % of {megabytes} MB  {file}`;
          bar = new SingleBar({ format, barsize: 30, hideCursor: true, clearOnComplete: false }, Presets.shades_grey);
          bar.start(total, done, { megabytes, file });
        }
      }
      bar?.setTotal(total);
      bar?.update(done, { megabytes, file });
    },
  };
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
