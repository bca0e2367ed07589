import { createHash } from "node:crypto";
import type { Logger } from "../../process/log.ts";
import type { UpstreamClient } from "../../upstream/clients.ts";
import { UpstreamBroken, UpstreamRefused, UpstreamUnavailable } from "../../upstream/errors.ts";
import { ask } from "../ask.ts";
import { languageName } from "../language.ts";
import { accountFor, type UnderstandingMetrics } from "../metrics.ts";
import { framed } from "../prompts/frame.ts";
import { ROLES_CERTAIN, SPEAKER_ROLES } from "../prompts/roles.ts";
import { linesOf } from "../transcript.ts";
import type { Call, Role } from "../types.ts";
import { excerpt } from "./excerpt.ts";

export interface ModelVoteParts {
  client: UpstreamClient;
  random: () => number;
  signal: AbortSignal;
  log: Logger;
  metrics: Pick<UnderstandingMetrics, "questions" | "tokens" | "cost">;
}

/** Without chance first; the second try wants some chance to differ. */
const TEMPERATURES = [0, 0.4];
/** Of an answer: the frame, and a line a speaker. */
const ANSWER_TOKENS = 64;
const SPEAKER_TOKENS = 16;
/** Tokens of a server whose window nobody told us. */
const WINDOW = 32_000;
/** Tokens of the frame around the call, on the safe side. */
const FRAME_TOKENS = 700;
/** Characters: more of a call does not tell better who is who. */
const LONGEST_EXCERPT = 9_000;
/** A token is at least so many characters, in the languages and on the models we know. */
const CHARACTERS_A_TOKEN = 2.5;

/**
 * What the model says of each speaker; null when it is not certain, says nothing that can be believed in two tries, or
 * its server is away. Rejects with the signal's reason only, and for faults of ours.
 */
export async function modelVote(
  call: Call,
  { client, random, signal, log, metrics }: ModelVoteParts,
): Promise<Record<string, Role | null> | null> {
  const speakers = [...new Set(call.utterances.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))];
  const answerTokens = ANSWER_TOKENS + SPEAKER_TOKENS * speakers.length;
  const window = client.settings.context_window ?? WINDOW;
  const room = Math.min(LONGEST_EXCERPT, Math.floor((window - FRAME_TOKENS - answerTokens) * CHARACTERS_A_TOKEN));
  const text = excerpt(linesOf(call.utterances), room);
  const mark = random().toString(36).slice(2, 10).padEnd(8, "0");
  for (const temperature of TEMPERATURES) {
    try {
      const answered = await ask(
        client,
        {
          name: "roles",
          ...question(call.language, text, mark),
          schema: schemaOf(speakers),
          maxTokens: answerTokens,
          temperature,
        },
        signal,
      );
      signal.throwIfAborted();
      accountFor(metrics, "roles", client, answered);
      const { reply } = answered;
      const roles = reply && reply.cut === null ? readRoles(reply.fields.roles, speakers) : null;
      const believed = reply && roles && typeof reply.fields.certain === "boolean";
      metrics.questions.inc({ group: "roles", outcome: believed ? "believed" : "doubted" });
      if (believed) return reply.fields.certain ? roles : null;
    } catch (error) {
      signal.throwIfAborted();
      metrics.questions.inc({ group: "roles", outcome: error instanceof UpstreamBroken ? "doubted" : "unanswered" });
      if (error instanceof UpstreamBroken) continue;
      if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamRefused)) throw error;
      log.warn({ err: error }, "nobody answers a question about the roles of a call");
      return null;
    }
  }
  return null;
}

/** Changes with the prompt: what was calibrated with another one is worth nothing. */
export function promptFingerprint(): string {
  const { system, user } = question("en", "", "00000000");
  return createHash("sha256").update(system).update(user).digest("hex").slice(0, 8);
}

function question(language: string, text: string, mark: string) {
  const fields = [
    { name: "roles", ...SPEAKER_ROLES },
    { name: "certain", ...ROLES_CERTAIN },
  ];
  return framed({ fields, language: languageName(language), text, kind: "call", mark });
}

function schemaOf(speakers: readonly string[]): object {
  const role = { type: "string", enum: ["agent", "customer", "unknown"] };
  return {
    type: "object",
    properties: {
      roles: {
        type: "object",
        properties: Object.fromEntries(speakers.map((speaker) => [speaker, role])),
        required: speakers,
        additionalProperties: false,
      },
      certain: { type: "boolean" },
    },
    required: ["roles", "certain"],
    additionalProperties: false,
  };
}

/** Null unless it says something we know of every speaker, and of nobody else. */
function readRoles(value: unknown, speakers: readonly string[]): Record<string, Role | null> | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const said = Object.entries(value);
  if (said.length !== speakers.length) return null;
  const roles: Record<string, Role | null> = {};
  for (const [speaker, role] of said) {
    if (!speakers.includes(speaker)) return null;
    if (role !== "agent" && role !== "customer" && role !== "unknown") return null;
    roles[speaker] = role === "unknown" ? null : role;
  }
  return roles;
}
