import { fork } from "node:child_process";
import { once } from "node:events";
import { modelsSettings } from "../models/config.ts";
import type { Command } from "./command.ts";

/** `npm run models` under the name that the image has; it needs no other part of the service. */
export const modelsFetch: Command = {
  usage: "[NAME…] [--dir DIR] [--hub URL] [--platform PLATFORM]",
  details: "Fetches models into the cache, converts them and prints their directories. Without a name: all.",
  settings: modelsSettings,
  async run(args) {
    const child = fork(new URL("../models/cli.ts", import.meta.url), ["fetch", ...args], { stdio: "inherit" });
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  },
};
