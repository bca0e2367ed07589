import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonPrograms } from "../../eval/python-programs.ts";
import { type Harness, startHarness, type Tenant } from "../api/harness.ts";
import { Conversation } from "../support/conversation.ts";
import { type Double, type Seen, says, startDouble } from "../upstream/double.ts";
import { embeds } from "../upstream/embeds.ts";

/** A live API for official clients: real but for the models, whose answers the tests choose. */
export interface Service {
  harness: Harness;
  upstream: Double;
  /** What a client calls its base URL. */
  baseUrl: string;
  /** Requests for the API so far that the key's log lines tell of: retries of a client among them. */
  requests(tenant: Tenant): number;
  /** The next request of the key is refused for about a second, as over its rate. */
  exhaust(tenant: Tenant): Promise<void>;
  stop(): Promise<void>;
}

/** Chat says `text`. */
export async function startService(text = "Hola, ¿qué tal?"): Promise<Service> {
  const upstream = await startDouble();
  const server = { url: upstream.url, model: "theirs" };
  const models = ["service-llm-1-small", "service-llm-1-large", "service-embed-1"];
  const harness = await startHarness({
    ESCRIBA_UPSTREAMS: JSON.stringify(Object.fromEntries(models.map((model) => [model, server]))),
  });
  const vectors = embeds();
  const chat = says(text);
  upstream.answer((seen: Seen) => (seen.path.endsWith("/embeddings") ? vectors(seen) : chat(seen)));
  return {
    harness,
    upstream,
    baseUrl: `${harness.api.url}/v1`,
    requests: ({ keyId }) => harness.log.text.split("\n").filter((line) => line.includes(`"key_id":"${keyId}"`)).length,
    async exhaust({ keyId }) {
      const { db } = harness.postgres;
      await db.$executeRaw`
        INSERT INTO request_permits (api_key_id, leases, counts, counted_until)
        VALUES (${keyId}::uuid, ARRAY[gen_random_uuid()], ARRAY[300], ARRAY[clock_timestamp() + interval '0.9 s'])`;
    },
    async stop() {
      await harness.stop();
      await upstream.stop();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what a client gives back has every shape
export type Given = any;

export type PythonClient = Conversation<{ do: string; [argument: string]: unknown }, Given>;

/** A program of test/clients/python, which answers one question after the other. */
export async function startPythonClient(program: string, baseUrl: string): Promise<PythonClient> {
  const python = join(await pythonPrograms(new URL("python/clients.txt", import.meta.url)), "python");
  return Conversation.start(program, python, [fileURLToPath(new URL(`python/${program}`, import.meta.url)), baseUrl], {
    // Nothing of this machine's own use of these clients gets into the test.
    OPENAI_API_KEY: "",
    LANGSMITH_TRACING: "false",
  });
}
