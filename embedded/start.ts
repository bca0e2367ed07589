import { relative } from "node:path";
import { parseArgs } from "node:util";
import { settingsLines } from "../cli/command.ts";
import { embeddedConfig, embeddedSettings, statePaths } from "./config.ts";
import { removeDevFile, writeDevFile } from "./dev-file.ts";
import { plainMessage } from "./failure.ts";
import { byteBar } from "./progress.ts";
import { listenForStop, Stopped } from "./signals.ts";
import { type Stack, startStack } from "./stack.ts";

const HELP = `Usage: npm start

Runs Escriba on this machine until Ctrl-C: PostgreSQL, Temporal, the API, the workers and a server of
chat and embeddings, all on 127.0.0.1, with everything they keep in one directory.

Settings (environment variables):
${settingsLines(embeddedSettings).join("\n")}
`;

const report = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const stopping = listenForStop(report);
  try {
    const { values } = parseArgs({ args, options: { help: { type: "boolean", short: "h", default: false } } });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const config = embeddedConfig();
    const { devFile } = statePaths(config.stateDir);
    const stack = await startStack(config, {
      report,
      bar: byteBar(process.stderr),
      stopping,
      wantInference: true,
    });
    try {
      await writeDevFile(devFile, {
        base_url: stack.baseUrl,
        api_key: stack.apiKey,
        metrics_url: stack.metricsUrl,
      });
      process.stdout.write(welcome(stack, relative(process.cwd(), devFile)));
      void stack.inferenceStarted.then((answers) => answers && report("Chat and embeddings answer now."));
      await Promise.race([aborted(stopping.asked), stack.failed]);
    } finally {
      await removeDevFile(devFile);
      await stack.stop();
      report("Stopped.");
    }
    return 0;
  } catch (error) {
    if (error instanceof Stopped) return 130;
    report(`npm start: ${plainMessage(error)}`);
    return 1;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** What one needs to begin; the first curl line uploads a file and asks for its transcript. */
function welcome({ baseUrl, apiKey, metricsUrl }: Stack, devFile: string): string {
  const curl = [
    `KEY=${apiKey} URL=${baseUrl}/v1 FILE=embedded/sample/call.ogg;`,
    'ID=$(curl -s $URL/files -H "Authorization: Bearer $KEY" -F file=@$FILE | grep -o "file_[0-9A-Za-z]*");',
    'curl -s $URL/transcripts -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d "{\\"file_id\\":\\"$ID\\"}"',
  ].join(" ");
  const post = (path: string, body: object) =>
    `curl -s ${baseUrl}/v1/${path} -H "Authorization: Bearer ${apiKey}" -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  const chat = post("chat/completions", {
    model: "service-llm-1-small",
    messages: [{ role: "user", content: "What is a transcript?" }],
    max_tokens: 60,
  });
  const embeddings = post("embeddings", { model: "service-embed-1", input: ["hello", "hola"] });
  return `
Escriba is running.

  Base URL   ${baseUrl}
  Key        ${apiKey}
  Metrics    ${metricsUrl}
  Also in    ${devFile}

Transcribe a file, then read the transcript at ${baseUrl}/v1/transcripts/<id>:

${curl}

Chat and embeddings, from models that are only good for trying things out:

${chat}
${embeddings}

Ctrl-C stops it and keeps its data.
`;
}
