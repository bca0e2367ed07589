import { demandAnswer } from "../../operator/observe/demand.ts";
import { type Examination, type Finding, failed, messageOf, ok, Problem, warning } from "./check.ts";
import { skewFinding } from "./clock-skew.ts";
import type { Settings } from "./config.ts";

const ASK_MS = 10_000;
/** Of a WorkerPool: older demand is unknown, and unknown means hold. */
const MAX_AGE_SECONDS = 30;

/** What scaling goes by: the API's demand endpoint, and the operator's own health. */
export async function examineOperator(settings: Settings, examination: Examination): Promise<void> {
  const { ESCRIBA_DOCTOR_DEMAND_URL: demand, ESCRIBA_DOCTOR_OPERATOR_URL: operator } = settings;
  if (!demand && !operator)
    return examination.skip("neither ESCRIBA_DOCTOR_DEMAND_URL nor ESCRIBA_DOCTOR_OPERATOR_URL is set");
  if (demand) {
    const token = settings.ESCRIBA_DEMAND_TOKEN;
    const answers = await examination.check("demand", ASK_MS, (signal) => readDemand(demand, token, signal));
    if (answers) await examination.check("demand token", ASK_MS, (signal) => guarded(demand, signal));
  }
  if (operator) {
    const base = operator.replace(/\/+$/, "");
    await examination.check("operator alive", ASK_MS, (signal) => healthy(`${base}/livez`, signal));
    await examination.check("operator ready", ASK_MS, (signal) => healthy(`${base}/readyz`, signal));
    await examination.check("operator leads", ASK_MS, (signal) => leading(`${base}/metrics`, signal));
  }
}

async function get(url: string, signal: AbortSignal, token?: string): Promise<Response> {
  return fetch(url, { signal, headers: token ? { authorization: `Bearer ${token}` } : {} }).catch((error: unknown) => {
    const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Problem(
      `${url} does not answer: ${messageOf(inner)}`,
      "is it up, and does a NetworkPolicy let this process reach it?",
    );
  });
}

async function readDemand(url: string, token: string, signal: AbortSignal): Promise<Finding> {
  const response = await get(url, signal, token);
  if (response.status === 401) return failed(`${url} answers 401`, ["ESCRIBA_DEMAND_TOKEN must be the API's own"]);
  if (response.status === 404)
    return failed(`${url} answers 404`, [
      "set ESCRIBA_DEMAND_TOKEN on the API: without it there is no demand endpoint",
    ]);
  if (!response.ok) return failed(`${url} answers ${response.status}`, ["look at the API's log"]);
  const parsed = demandAnswer.safeParse(await response.json().catch(() => null));
  if (!parsed.success)
    return failed("the answer is not demand of version 1", ["API and operator must be of versions that fit"]);
  const { observedAt, organizations } = parsed.data;
  const skew = skewFinding(Date.parse(observedAt) - Date.now(), "the demand's observation", {
    failsAt: MAX_AGE_SECONDS,
  });
  if (skew.outcome !== "ok") return skew;
  const queues = organizations.flatMap(({ queues: own }) => Object.values(own));
  const chunks = queues.reduce((sum, { outstandingChunks }) => sum + outstandingChunks, 0);
  const seconds = queues.reduce((sum, { outstandingSeconds }) => sum + outstandingSeconds, 0);
  return ok(`${organizations.length} organizations wait for ${chunks} chunks, ${Math.round(seconds)} s of audio`, {
    organizations: organizations.length,
    chunks,
    seconds,
  });
}

async function guarded(url: string, signal: AbortSignal): Promise<Finding> {
  const { status } = await get(url, signal);
  if (status === 401) return ok("nobody is answered without the token");
  return failed(`answers ${status} without a token`, ["set ESCRIBA_DEMAND_TOKEN on the API"]);
}

async function healthy(url: string, signal: AbortSignal): Promise<Finding> {
  const response = await get(url, signal);
  const text = (await response.text()).trim().slice(0, 200);
  if (response.ok) return ok(`${url} answers ${response.status}`);
  return failed(`${url} answers ${response.status}: ${text}`, ["kubectl logs deploy/escriba-operator"]);
}

/** Of two replicas one leads; behind a Service either may answer. */
async function leading(url: string, signal: AbortSignal): Promise<Finding> {
  const text = await (await get(url, signal)).text();
  const value = /^escriba_operator_leader(?:\{[^}]*\})? (\d)/m.exec(text)?.[1];
  if (value === undefined)
    return failed(`${url} has no escriba_operator_leader`, ["is it the operator that answers there?"]);
  if (value === "1") return ok("this replica leads", { leader: true });
  return warning("this replica does not lead", ["with two replicas another one does: kubectl get lease shows who"], {
    leader: false,
  });
}
