import { Context } from "@temporalio/activity";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { OutboundError, type OutboundFailure } from "../../storage/outbound-connection.ts";
import type { outboundFetch } from "../../storage/outbound-fetch.ts";
import type { Networks } from "../../storage/public-address.ts";
import { type FailureCode, StepFailed } from "../failures.ts";
import type { FetchSteps } from "../steps.ts";
import { inStore, readObject } from "./objects.ts";
import { counting } from "./scratch.ts";

export interface FetchDependencies {
  store: ObjectStore;
  outboundFetch: typeof outboundFetch;
  /** Networks that `audio_url` may reach besides public addresses. */
  allowed: Networks;
  /** Certificates to trust, all of them; Node's own when absent. */
  ca?: readonly string[];
}

/** As for an upload (interface, 2.3). */
const MAX_BYTES = 2 ** 31;
const TIMEOUT_MS = 2 * 3_600_000;

/** What the transcripts worker left for us: workers that reach out to the internet hold no database credentials. */
export interface SourceUrl {
  url: string;
}

/** `audio_url` → `source`. The object is whole or absent, so where it is, the step was done. */
export function fetchSource({ store, outboundFetch, allowed, ca }: FetchDependencies): FetchSteps["fetchSource"] {
  return async ({ transcriptId }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const done = await store.head(keys.source(transcriptId)).catch((error) => {
      throw inStore(error, signal);
    });
    if (done) return;
    const source = await readObject<SourceUrl>(store, keys.sourceUrl(transcriptId), signal);
    if (!source) throw new StepFailed("source_missing");
    const onBytes = () => context.heartbeat("transfer");
    try {
      const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS };
      const { body } = await outboundFetch(source.url, { ...limits, allowed, ...(ca && { ca }), signal });
      const counted = counting(onBytes);
      body.once("error", (error) => counted.destroy(error));
      await store.put(keys.source(transcriptId), body.pipe(counted), { signal });
    } catch (error) {
      if (error instanceof OutboundError) throw new StepFailed(codeOf(error), error);
      throw inStore(error, signal);
    }
    await store.delete(keys.sourceUrl(transcriptId));
  };
}

/** A name that does not resolve or a 404 will be the same in a minute; a server in trouble may be out of it. */
const INTERRUPTIONS: readonly OutboundFailure[] = ["unreachable", "timeout"];

function codeOf({ code, status }: OutboundError): FailureCode {
  if (code === "too_large") return "file_too_large";
  const passing = status !== null && (status >= 500 || status === 429 || status === 408);
  return passing || INTERRUPTIONS.includes(code) ? "download_interrupted" : "audio_unreachable";
}
