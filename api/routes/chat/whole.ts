import type { IdempotencyLease } from "../../../storage/idempotency.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentChatCompletion } from "../../presenters/chat.ts";
import type { Answer } from "../../route.ts";
import type { Services } from "../../services.ts";
import { ChatAnswer, type ChatCall } from "./answer.ts";
import { Ending } from "./ending.ts";

/**
 * The answer in one piece. With the lease of an Idempotency-Key it runs on when its client has gone, is stored and billed
 * once; without, it ends with its client and is not billed. Undefined: the lease went to another request.
 */
export async function answerWhole(
  call: ChatCall,
  services: Services,
  kept: { lease: IdempotencyLease; lost: AbortSignal } | null,
): Promise<Answer | undefined> {
  const ending = new Ending(kept ? kept.lost : call.signal, services.closing);
  try {
    const answer = await ChatAnswer.begin(call, services, ending);
    const finishReason = await read(answer, ending);
    if (finishReason === null) {
      await answer.release("cut");
      // Another request runs under the key, or nobody is left to answer.
      if (kept) return undefined;
      throw call.signal.reason;
    }
    const used = await answer.used();
    const body = JSON.stringify(presentChatCompletion(answer.head, { content: answer.content, finishReason }, used));
    if (kept) {
      if ((await answer.keep(used, kept.lease, body)) === "lost") return undefined;
    } else void answer.charge("completed");
    return { status: 200, body };
  } finally {
    ending.dispose();
  }
}

/** To the end; null when it was cut. Throws ApiError where the upstream, or we, did not come to it. */
async function read(answer: ChatAnswer, ending: Ending): Promise<"stop" | "length" | null> {
  let cause: unknown = new Error("the upstream's answer has no end");
  try {
    for await (const chunk of answer.stream) answer.add(chunk);
  } catch (error) {
    cause = error;
  }
  if (ending.by === "client") return null;
  // A part of an answer is none.
  if (answer.finishReason !== null) return answer.finishReason;
  await answer.release("broken");
  throw new ApiError("upstream_unavailable", { cause });
}
