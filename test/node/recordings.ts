import { join } from "node:path";
import type { Client, TranscriptResponse } from "../../embedded/client.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Short calls, and a word that each transcript must have. */
const CALLS = [
  { file: "call-en.ogg", word: /contract/ },
  { file: "call-es.ogg", word: /contrato/ },
  { file: "terms-en.ogg", word: /account/ },
];

export interface Posted {
  id: string;
  /** Resolves when it is final. Rejects when it is not the transcript of what was posted. */
  finished: Promise<TranscriptResponse>;
}

/** Every organization at once uploads its share of `count` recordings, one by one, and asks for their transcripts. */
export async function post(clients: readonly Client[], count: number): Promise<Posted[]> {
  const shares = clients.map((client, first) => {
    const turns = Array.from({ length: Math.ceil((count - first) / clients.length) }, (_, turn) => turn);
    return Array.fromAsync(turns, (turn) => postOne(client, CALLS[(first + turn) % CALLS.length] as Call));
  });
  return (await Promise.all(shares)).flat();
}

type Call = (typeof CALLS)[number];

async function postOne(client: Client, { file, word }: Call): Promise<Posted> {
  const signal = new AbortController().signal;
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
  return { id, finished };
}
