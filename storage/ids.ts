import { randomBytes } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` characters of [0-9A-Za-z], each drawn evenly: bytes of 248 and above would favour the first characters. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** 24 characters are 143 random bits: ids are never checked for collisions. */
const newId = (prefix: string) => `${prefix}_${randomBase62(24)}`;

export const newTranscriptId = () => newId("tr");
export const newFileId = () => newId("file");
export const newWebhookId = () => newId("wh");
export const newChatCompletionId = () => newId("chatcmpl");
export const newEmbeddingId = () => newId("emb");
export const newEventId = () => newId("evt");
