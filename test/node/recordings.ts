import { join } from "node:path";
import type { Client, TranscriptResponse } from "../../embedded/client.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Short calls, and a word that each transcript must have. */
const CALLS = [
  { file: "call-en.ogg", word: /contract/ },
  { file: "call-es.ogg", word: /contrato/ },
  { file: "terms-en.ogg", word: /colleague/ },
];

export interface Posted {
  id: string;
  /** Resolves when it is final. Rejects when it is not the transcript of what was posted. */
  finished: Promise<TranscriptResponse>;
}

/** Uploads `count` recordings of every organization in turn, and asks for their transcripts. */
export async function post(clients: readonly Client[], count: number): Promise<Posted[]> {
  const signal = new AbortController().signal;
  const posted: Posted[] = [];
  for (let at = 0; at < count; at += 1) {
    const client = clients[at % clients.length] as Client;
    const { file, word } = CALLS[at % CALLS.length] as (typeof CALLS)[number];
    const { id: fileId } = await client.upload(join(FIXTURES, file), signal);
    const { id } = await client.createTranscript(fileId, signal);
    const finished = client
      .finalTranscript(id, () => undefined, signal)
      .then(({ transcript }) => {
        const { status, text = "", error } = transcript;
        if (status !== "completed" || !word.test(text)) {
          throw new Error(`${id} of ${file} ended ${status}: ${error?.message ?? text}`);
        }
        return transcript;
      });
    finished.catch(() => undefined); // told to whoever waits for it
    posted.push({ id, finished });
  }
  return posted;
}
