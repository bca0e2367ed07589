import type { ServerResponse } from "node:http";
import { drained, EventStream } from "../../event-stream.ts";
import { ChunkWriter, STREAM_END } from "../../presenters/chat.ts";
import type { Answer } from "../../route.ts";
import type { Services } from "../../services.ts";
import { ChatAnswer, type ChatCall } from "./answer.ts";
import { Ending } from "./ending.ts";

/** A client that takes nothing for this long has gone, whatever its socket says: it holds money and a GPU. */
const STALLED_MS = 120_000;

/** The answer as server-sent events. Up to the upstream's first chunk it can still be an error. */
export async function answerAsStream(call: ChatCall, services: Services): Promise<Answer> {
  const ending = new Ending(call.signal, services.closing);
  try {
    const answer = await ChatAnswer.begin(call, services, ending);
    return { status: 200, body: new EventStream((response) => write({ call, services, ending, answer, response })) };
  } catch (error) {
    ending.dispose();
    throw error;
  }
}

interface Writing {
  call: ChatCall;
  services: Services;
  ending: Ending;
  answer: ChatAnswer;
  response: ServerResponse;
}

async function write(writing: Writing): Promise<void> {
  const { call, ending, answer, response } = writing;
  try {
    await pass(writing);
  } catch (error) {
    // Never told to the client: its stream has no finish_reason, and that is how it knows (section 2.9).
    if (ending.by === null) call.log.warn({ err: error, usage_id: answer.head.id }, "a stream broke off");
  }
  // Whole: its tokens. Cut by the client: those produced so far. Ended by the upstream or by us: nothing.
  let billed: Promise<void>;
  if (answer.finishReason !== null) billed = answer.charge("completed");
  else if (ending.by === "client") billed = answer.charge("cut");
  else billed = answer.release("broken");
  response.end(STREAM_END);
  await billed;
  ending.dispose();
}

/** Chunk by chunk, no faster than the client reads. Throws what the upstream's iterator throws. */
async function pass({ services, ending, answer, response }: Writing): Promise<void> {
  const writer = new ChunkWriter(answer.head);
  for await (const chunk of answer.stream) {
    answer.add(chunk);
    if (chunk.finishReason) ending.disregardClient();
    const event = writer.write(chunk);
    if (event === "" || response.write(event)) continue;
    const giveUp = services.timers.after(STALLED_MS, () => response.destroy());
    await drained(response);
    giveUp();
  }
}
