import { serveCalls } from "../../process/child-process.ts";
import { ChatModel } from "./model.ts";
import type { ChatCall, ChatModelSettings, ChatProgress, ChatResult } from "./protocol.ts";

/** The process that holds the chat model: it loads it once and answers as many chats at a time as the model was set to. */

/** A sign of life at most this often; tokens come a hundred times as often. */
const BEAT_MS = 1_000;

let loaded: { key: string; model: Promise<ChatModel> } | undefined;

serveCalls<ChatCall, ChatProgress, ChatResult>(async (call, progress, signal) => {
  let last = performance.now();
  const model = await loadOnce(call.model);
  const answer = await model.answer(call, {
    onText: progress,
    onBeat: () => {
      const now = performance.now();
      if (now - last < BEAT_MS) return;
      last = now;
      progress({ alive: true });
    },
    signal,
  });
  return { ...answer, residentBytes: process.memoryUsage.rss() };
});

function loadOnce(settings: ChatModelSettings): Promise<ChatModel> {
  const key = JSON.stringify(settings);
  if (loaded?.key === key) return loaded.model;
  const model = ChatModel.load(settings);
  const mine = { key, model };
  loaded = mine;
  model.catch(() => {
    if (loaded === mine) loaded = undefined; // the next call tries again
  });
  return model;
}
