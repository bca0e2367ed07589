import { OutboundError } from "../storage/outbound-connection.ts";
import type { OutboundPost, outboundPost } from "../storage/outbound-post.ts";
import type { Outcome, PendingAttempt } from "./deliveries.ts";
import { signatureHeader } from "./signature.ts";

/** The receiver's time, from the name's resolution to its status line. */
export const ATTEMPT_MS = 10_000;

export interface AttemptDependencies {
  post: typeof outboundPost;
  /** Which addresses and certificates are accepted, and the receiver's time in milliseconds (10 s in production). */
  network: Pick<OutboundPost, "allowed" | "ca" | "resolve" | "timeoutMs">;
  /** Milliseconds since the epoch, for the signature's time. */
  now: () => number;
}

/** One signed POST. Never rejects for what the receiver does. */
export async function makeAttempt(
  { post, network, now }: AttemptDependencies,
  eventId: string,
  { url, body }: Pick<PendingAttempt, "url" | "body">,
  secret: string,
): Promise<Outcome> {
  const headers = {
    "content-type": "application/json",
    "user-agent": "escriba-webhooks/1",
    "service-event-id": eventId,
    "service-signature": signatureHeader(secret, body, Math.floor(now() / 1000)),
  };
  try {
    const { status } = await post(url, { ...network, body, headers });
    if (status >= 200 && status < 300) return { status: "delivered", responseStatus: status, error: null };
    const error = status >= 300 && status < 400 ? "redirect" : "http_status";
    return { status: "failed", responseStatus: status, error };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { code } = error;
    return { status: code === "blocked_address" ? "blocked" : "failed", responseStatus: null, error: code };
  }
}
