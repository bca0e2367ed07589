import type { Route } from "./route.ts";
import { readBalance } from "./routes/balance.ts";
import { createChatCompletion } from "./routes/chat/create.ts";
import { createEmbeddings } from "./routes/embeddings/create.ts";
import { deleteFile } from "./routes/files/delete.ts";
import { readFile } from "./routes/files/read.ts";
import { uploadFile } from "./routes/files/upload.ts";
import { readIdentity } from "./routes/me.ts";
import { listModels } from "./routes/model/list.ts";
import { readModel } from "./routes/model/read.ts";
import { createTranscript } from "./routes/transcripts/create.ts";
import { deleteTranscript } from "./routes/transcripts/delete.ts";
import { listTranscripts } from "./routes/transcripts/list.ts";
import { readTranscript } from "./routes/transcripts/read.ts";
import { readSubRip, readText, readWebVtt } from "./routes/transcripts/subtitles.ts";
import { createWebhook } from "./routes/webhooks/create.ts";
import { deleteWebhook } from "./routes/webhooks/delete.ts";
import { listDeliveries } from "./routes/webhooks/deliveries.ts";
import { enableWebhook } from "./routes/webhooks/enable.ts";
import { listWebhooks } from "./routes/webhooks/list.ts";

/** Every route, in the order of section 4. Subtitles stand before `{id}`, which would match them too. */
export const routes: readonly Route[] = [
  readIdentity,
  readBalance,
  listModels,
  readModel,
  uploadFile,
  readFile,
  deleteFile,
  createTranscript,
  listTranscripts,
  readSubRip,
  readWebVtt,
  readText,
  readTranscript,
  deleteTranscript,
  createChatCompletion,
  createEmbeddings,
  createWebhook,
  listWebhooks,
  enableWebhook,
  deleteWebhook,
  listDeliveries,
];
