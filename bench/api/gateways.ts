import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../embedded/ports.ts";
import { pythonPrograms } from "../../eval/python-programs.ts";
import { type Server, spawnServer } from "./server.ts";

/** Somewhere to send a chat completion: ours, a rival, or the upstream itself. */
export interface Route {
  name: string;
  /** The whole URL of chat completions. */
  url: string;
  headers: Record<string, string>;
  /** What the caller must name to get the upstream's model `steady`, and `burst` where streams are measured. */
  models: { steady: string; burst?: string };
}

const PORTKEY = "1.15.2";

/**
 * Portkey's gateway as its documentation runs it on a machine of one's own. Its streams are not measured: this version
 * answers 500 to them under Node 20, 22 and 24 ("immutable" headers).
 */
export async function startPortkey(
  upstream: string,
  { cache, directory, say }: { cache: string; directory: string; say: (line: string) => void },
): Promise<Server & Route> {
  const home = join(cache, `portkey-${PORTKEY}`);
  if (!existsSync(home)) {
    say("fetching Portkey's gateway (once)");
    const making = `${home}.${process.pid}.tmp`;
    await mkdir(making, { recursive: true });
    await writeFile(join(making, "package.json"), "{}");
    const wanted = `@portkey-ai/gateway@${PORTKEY}`;
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", wanted], { cwd: making });
    await rename(making, home).catch(async (error: unknown) => {
      await rm(making, { recursive: true, force: true });
      if (!existsSync(home)) throw error;
    });
  }
  const port = await freePort();
  const script = join(home, "node_modules/@portkey-ai/gateway/build/start-server.js");
  const server = await spawnServer("Portkey", [process.execPath, script, "--headless", `--port=${port}`], {
    env: { NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" },
    healthUrl: `http://127.0.0.1:${port}/`,
    directory,
  });
  return {
    ...server,
    name: "Portkey",
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { "x-portkey-provider": "openai", "x-portkey-custom-host": upstream, authorization: "Bearer none" },
    models: { steady: "steady" },
  };
}

/** LiteLLM's proxy with one worker and a master key, without a database. */
export async function startLiteLlm(
  upstream: string,
  { directory, say }: { directory: string; say: (line: string) => void },
): Promise<Server & Route> {
  const programs = await pythonPrograms(new URL("../python/litellm.txt", import.meta.url), () =>
    say("making a Python environment for LiteLLM (once)"),
  );
  const litellm_params = { model: "openai/steady", api_base: upstream, api_key: "none" };
  const config = join(directory, "litellm.json");
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ model_list: [{ model_name: "steady", litellm_params }] }));
  const key = `sk-${randomBytes(24).toString("hex")}`;
  const port = await freePort();
  const command = [join(programs, "litellm"), "--config", config, "--host", "127.0.0.1", "--port", String(port)];
  const server = await spawnServer("LiteLLM", [...command, "--num_workers", "1", "--telemetry", "False"], {
    env: {
      LITELLM_MASTER_KEY: key,
      LITELLM_LOG: "ERROR",
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
      PYTHONDONTWRITEBYTECODE: "1",
    },
    healthUrl: `http://127.0.0.1:${port}/health/liveliness`,
    directory,
  });
  return {
    ...server,
    name: "LiteLLM",
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    models: { steady: "steady" },
  };
}
