import { createInterface } from "node:readline";
import type { Answer, Question } from "../contender.ts";

/** A contender's end of the conversation: says that it is ready, then answers questions until standard input ends. */
export async function serve(answer: (question: Question) => Promise<Answer>): Promise<void> {
  const say = (reply: object) => process.stdout.write(`${JSON.stringify(reply)}\n`);
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      say(await answer(JSON.parse(line)));
    } catch (error) {
      say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
}
