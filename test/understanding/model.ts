import { createLog, type Logger } from "../../process/log.ts";
import { Registry } from "../../process/metrics.ts";
import { createUnderstandingMetrics } from "../../understanding/metrics.ts";
import {
  type Call,
  GROUPS,
  type Group,
  type GroupResult,
  type Module,
  type Request,
  type Role,
} from "../../understanding/types.ts";
import { understandGroup } from "../../understanding/understand.ts";
import { createUpstreams } from "../../upstream/clients.ts";
import type { Upstream } from "../../upstream/settings.ts";
import type { Timing } from "../../upstream/timing.ts";
import { type Double, type Script, type Seen, says, startDouble } from "../upstream/double.ts";

const MODEL = "service-llm-1-small";

/** What a scripted model says to a question: an object or text as its answer, or another script. */
export type Answerer = (question: Asked) => object | string | Script;

/** A question as the model gets it. */
export interface Asked {
  /** Names of the fields that are asked for. */
  fields: string[];
  system: string;
  /** The lines between the marks. */
  text: string;
  kind: string;
  user: string;
  body: Seen["body"];
  /** From 0. */
  count: number;
}

export interface ScriptedModel {
  double: Double;
  asked: Asked[];
  registry: Registry;
  understand(group: Group, call: Call, more?: Partial<Understand>): Promise<GroupResult>;
  stop(): Promise<void>;
}

interface Understand {
  modules: readonly Module[];
  request: Request;
  rolesUsable: boolean;
  patienceMs: number;
  signal: AbortSignal;
  client: null;
}

/** Waits between tries are not what these tests are about. */
const FAST: Partial<Timing> = { firstWaitMs: 1 };

/** Our own client of a server that a test scripts. */
export async function startModel(
  answerer: Answerer,
  settings: Partial<Upstream> = {},
  { timing = FAST, log = createLog("understanding", "silent") }: { timing?: Partial<Timing>; log?: Logger } = {},
): Promise<ScriptedModel> {
  const double = await startDouble();
  const asked: Asked[] = [];
  double.answer((seen) => {
    const question = questionOf(seen, asked.length);
    asked.push(question);
    const answer = answerer(question);
    if (typeof answer === "function") return answer(seen);
    return says(typeof answer === "string" ? answer : JSON.stringify(answer))(seen);
  });
  const registry = new Registry();
  const upstreams = createUpstreams(
    { [MODEL]: { url: double.url, model: "theirs", ...settings } },
    { log, registry, timing },
  );
  const metrics = createUnderstandingMetrics(registry);
  return {
    double,
    asked,
    registry,
    understand: (group, call, more = {}) =>
      understandGroup(
        {
          call,
          group,
          rolesUsable: more.rolesUsable ?? true,
          modules: more.modules ?? GROUPS[group],
          request: more.request ?? {},
        },
        {
          client: more.client === null ? undefined : upstreams.of(MODEL),
          signal: more.signal ?? new AbortController().signal,
          patienceMs: more.patienceMs,
          log,
          metrics,
          random: () => 0.123456789,
          now: () => performance.now(),
        },
      ),
    async stop() {
      await upstreams.close();
      await double.stop();
    },
  };
}

function questionOf({ body }: Seen, count: number): Asked {
  const [system, user] = (body.messages as { content: string }[]).map(({ content }) => content) as [string, string];
  return {
    system,
    user,
    body,
    count,
    kind: /^<(\w+)-/.exec(user)?.[1] ?? "",
    fields: [...system.matchAll(/^"(\w+)": /gm)].map(([, field]) => field as string),
    text: /^<[^>]+>\n([\s\S]*)\n<\/[^>]+>\n/.exec(user)?.[1] ?? "",
  };
}

/** `agent: Hola`, `customer: Hola` or just `Hola`, a turn each. */
export function callOf(language: string, ...turns: string[]): Call {
  return {
    language,
    utterances: turns.map((turn, index) => {
      const [, role, text] = /^(?:(agent|customer): )?([\s\S]*)$/.exec(turn) as unknown as [
        string,
        Role | undefined,
        string,
      ];
      return {
        speaker: role === undefined ? null : role === "agent" ? "0" : "1",
        speakerRole: role ?? null,
        text,
        start: index,
        end: index + 0.9,
      };
    }),
  };
}

/** What a good model would say about `SPANISH`. */
export const SPANISH = callOf(
  "es",
  "agent: Buenos días, le atiende Laura Gómez, ¿en qué puedo ayudarle?",
  "customer: Hola, soy Pedro Ruiz. Este mes la factura ha subido veinte euros y nadie me ha avisado, estoy muy enfadado.",
  "agent: Lo siento mucho, señor Ruiz. Veo que la promoción terminó en marzo.",
  "customer: Vaya mierda de empresa, me prometieron el mismo precio un año.",
  "agent: Le mando la devolución de veinte euros antes del viernes.",
  "customer: Vale, muchas gracias, perfecto.",
);

export const GOOD: Record<string, unknown> = {
  topic_detection: [
    { label: "billing_dispute", relevance: 0.9 },
    { label: "billing_refund", relevance: 0.6 },
  ],
  summarization: [
    "El cliente se queja de que la factura ha subido veinte euros sin aviso.",
    "La promoción terminó en marzo y la agente le devuelve veinte euros antes del viernes.",
  ],
  action_items: [
    { text: "Mandar la devolución de veinte euros al cliente", owner: "Laura Gómez", due: "antes del viernes" },
  ],
  sentiment_analysis: {
    overall: "negative",
    turns: [
      { turn: 1, sentiment: "negative" },
      { turn: 3, sentiment: "negative" },
      { turn: 5, sentiment: "positive" },
    ],
  },
  content_moderation: [],
  profanity_filter: ["mierda"],
  pii_redaction: [
    { type: "PERSON", text: "Laura Gómez" },
    { type: "PERSON", text: "Pedro Ruiz" },
    { type: "PERSON", text: "Ruiz" },
  ],
};

/** Answers what is asked from a record of fields. */
export const from =
  (answers: Record<string, unknown>): Answerer =>
  ({ fields }) =>
    Object.fromEntries(fields.map((field) => [field, answers[field]]));
