import test from "ava";
import { DoubleEngine, preparing } from "./doubles.ts";
import { eventually, type Stack, type Submitted, startStack } from "./stack.ts";

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

/** Notes the language of each chunk, which tells the organization in this test. */
class Listener extends DoubleEngine {
  readonly order: string[] = [];
  override async recognise(...call: Parameters<DoubleEngine["recognise"]>): Promise<void> {
    this.order.push(call[0].language);
    return super.recognise(...call);
  }
}

const scheduled = async ({ id }: Submitted) => {
  const handle = stack.temporal.client.workflow.getHandle(id);
  const history = await handle.fetchHistory().catch(() => null); // not relayed yet
  const names = (history?.events ?? []).map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
  return names.filter((name) => name === "recognise").length;
};

test("an organization that comes late does not wait behind everything that another one queued", async (t) => {
  const gate = Promise.withResolvers<void>();
  const engine = new Listener(() => gate.promise);
  const worker = await stack.worker({ engine, prepareAudio: preparing(8, 1) }, { ESCRIBA_SLOTS_SPEECH_SHORT: "1" });
  const first = await stack.submit(Buffer.from("x"), { language: "es" });
  const { organizationId } = first;
  const more = Array.from({ length: 4 }, () => stack.submit(Buffer.from("x"), { language: "es", organizationId }));
  const many = [first, ...(await Promise.all(more))];
  await Promise.all(many.map((submitted) => eventually(async () => (await scheduled(submitted)) === 8)));
  const late = await stack.submit(Buffer.from("x"), { language: "fr" });
  await eventually(async () => (await scheduled(late)) === 8);
  gate.resolve();
  for (const submitted of [...many, late]) t.is((await submitted.final())?.status, "completed");
  t.is(engine.order.length, 48);
  // Fairness orders by tickets, not strictly in turns: in the first half of the work, most of the late one's chunks
  // are done. Without it they would be the last eight.
  const early = engine.order.slice(0, 24).filter((language) => language === "fr").length;
  t.true(early >= 5, `${early} of the late one's 8 chunks were among the first 24 of 48`);
  await worker.drain();
});
