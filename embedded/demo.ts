import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { Client, checkFile, DemoError } from "./client.ts";
import { type EmbeddedConfig, embeddedConfig, statePaths } from "./config.ts";
import { runningStack } from "./dev-file.ts";
import { plainMessage } from "./failure.ts";
import { readable } from "./print.ts";
import { byteBar, statusLine } from "./progress.ts";
import { listenForStop, Stopped, type Stopping } from "./signals.ts";
import { startStack } from "./stack.ts";

const SAMPLE = join(import.meta.dirname, "sample", "call.ogg");

const HELP = `Usage: npm run demo -- [FILE…] [--json]

Starts Escriba on this machine, or uses the one that \`npm start\` runs, transcribes each
FILE over HTTP, prints the transcripts and stops. Without FILE: the sample call.

  --json   only the final transcripts on standard output, one JSON object a line
           (npm prints lines of its own there; \`npm run -s demo\` silences them)

The exit code is 0 when every transcript is completed.
`;

const report = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const stopping = listenForStop(report);
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const files = positionals.length > 0 ? positionals : [SAMPLE];
    for (const file of files) await checkFile(file);
    return await withService(embeddedConfig(), stopping, (client) =>
      transcribeAll(client, files, values.json, stopping.asked),
    );
  } catch (error) {
    if (error instanceof Stopped) return 130;
    report(`demo: ${plainMessage(error)}`);
    return 1;
  }
}

/** Hands `work` a client of the running stack, or of one that is started for it and stopped after it. */
async function withService(
  config: EmbeddedConfig,
  stopping: Stopping,
  work: (client: Client) => Promise<number>,
): Promise<number> {
  const running = await runningStack(statePaths(config.stateDir).devFile);
  if (running) {
    report(`Using the stack that runs at ${running.base_url}`);
    return await work(new Client(running.base_url, running.api_key));
  }
  // The demo must work beside anything else on this machine, so it takes free ports.
  const stack = await startStack(
    { ...config, port: 0, metricsPort: 0 },
    // Fetching more models than a transcript needs would only slow it down.
    { report, bar: byteBar(process.stderr), stopping, wantInference: false },
  );
  try {
    return await Promise.race([work(new Client(stack.baseUrl, stack.apiKey)), stack.failed]);
  } finally {
    await stack.stop();
  }
}

/** One after the other: the recordings share the machine's cores anyway, and the output keeps the order asked for. */
async function transcribeAll(client: Client, files: string[], json: boolean, signal: AbortSignal): Promise<number> {
  let failures = 0;
  for (const file of files) {
    try {
      const { transcript, body } = await transcribe(client, file, signal);
      if (json) process.stdout.write(`${oneLine(body)}\n`);
      else if (transcript.status === "completed") process.stdout.write(`\n${readable(file, transcript)}\n`);
      if (transcript.status !== "completed") {
        failures += 1;
        report(
          `demo: ${file}: the transcript ${transcript.id} ${transcript.status}: ${transcript.error?.message ?? ""}`,
        );
      }
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      failures += 1;
      report(`demo: ${error.message}`);
    }
  }
  return failures === 0 ? 0 : 1;
}

async function transcribe(client: Client, file: string, signal: AbortSignal) {
  const status = statusLine(process.stderr, basename(file));
  try {
    status.show("uploading");
    const { id } = await client.upload(file, signal);
    status.show("queued");
    const created = await client.createTranscript(id, signal);
    return await client.finalTranscript(created.id, (transcript) => status.show(transcript.status), signal);
  } finally {
    status.stop();
  }
}

/** The answer as it came, without the line breaks that only layout put there. */
function oneLine(body: string): string {
  return body.includes("\n") ? JSON.stringify(JSON.parse(body)) : body;
}
