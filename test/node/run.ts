/**
 * `npm run test:node`: the tests on a real node of this machine's own, in namespaces that the kernel takes away
 * afterwards. For root on Linux; elsewhere it says what is missing and tests nothing.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { fetchSeaweedfs } from "../support/seaweedfs.ts";
import { fetchTemporal } from "../support/temporal.ts";
import { given } from "./given.ts";
import { buildImages } from "./image/images.ts";
import { isolate } from "./isolation.ts";
import { requirements } from "./requirements.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODELS = ["whisper-base", "campplus", "silero-vad"];

const HELP = `Usage: npm run test:node -- [--required] [AVA'S OPTIONS…]

Starts a Kubernetes node on this machine (kubelet, containerd, kube-proxy, CoreDNS and a control plane), in network,
mount and process namespaces of its own; builds the project's image from its Dockerfile; installs the chart as
docs/install.md says; and tests what becomes of work while it is scaled, rolled out, drained, upgraded and removed.
Takes about a quarter of an hour. Wants root, Linux, 6 GB of memory and 15 GB of disk, and what it names as missing.

  --required   what is missing fails instead of skipping
  --help`;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = { required: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { values, tokens = [] } = parseArgs({ options, strict: false, allowPositionals: true, tokens: true });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { missing, programs } = requirements();
  if (missing.length > 0) {
    const lines = missing.map((one) => `!!!   ${one}`).join("\n");
    console.error(`\n!!! ${values.required ? "FAILED" : "SKIPPED"}: tests on a real node. Missing:\n${lines}\n`);
    return values.required ? 1 : 0;
  }
  const say = (line: string) => console.error(`test:node: ${line}`);
  // All that comes from the network, which the namespace has not.
  const models = process.env.ESCRIBA_MODELS_DIR || defaultModelsDirectory(process.env);
  for (const name of MODELS) await ensure(name, { dir: models });
  await fetchTemporal();
  await fetchSeaweedfs();
  const images = await buildImages(say);

  const isolation = await isolate();
  try {
    const { directory, cgroup } = isolation;
    const ava = [join(ROOT, "node_modules/ava/entrypoints/cli.mjs"), "--config", join(ROOT, "test/node/ava.config.js")];
    const rest = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : avaOption(token)));
    return await isolation.run(
      [process.execPath, ...ava, ...rest],
      given.environment({ directory, cgroup, programs, images, models }),
    );
  } finally {
    await isolation.leave();
  }
}

/** An option that is not ours is ava's. */
function avaOption(token: { kind: string; name?: string; rawName?: string; value?: string | undefined }): string[] {
  if (token.kind !== "option" || token.name === "required") return [];
  return [token.value === undefined ? `${token.rawName}` : `${token.rawName}=${token.value}`];
}
