import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { examineUpstreams } from "../../../cli/doctor/upstream.ts";
import { freePort } from "../../../embedded/ports.ts";
import { createLog } from "../../../process/log.ts";
import { serverForFile } from "../../inference/server.ts";
import { examined, outcomes } from "./examined.ts";

const server = serverForFile(test, { ESCRIBA_INFERENCE_API_KEY: "s3cret" });
const log = createLog("doctor", "silent");
const examine = (upstreams: object) =>
  examined("upstream", (settings, examination) => examineUpstreams(settings, examination, log), {
    ESCRIBA_UPSTREAMS: JSON.stringify(upstreams),
  });

const chat = (more: object = {}) => ({
  url: `${server().url}/v1`,
  model: "smollm2-135m-instruct",
  api_key: "s3cret",
  ...more,
});
const vectors = (more: object = {}) => ({ ...chat(), model: "all-minilm-l6-v2", native_dimensions: 384, ...more });

test.serial("the real inference server answers a list, a chat and a vector", async (t) => {
  const checks = await examine({
    "service-llm-1-small": chat(),
    "service-llm-1-large": chat(),
    "service-embed-1": vectors(),
  });
  t.deepEqual(outcomes(checks), {
    configured: "ok",
    "service-llm-1-small list": "ok",
    "service-llm-1-small chat": "ok",
    "service-llm-1-large list": "ok",
    "service-llm-1-large chat": "ok",
    "service-embed-1 list": "ok",
    "service-embed-1 vector": "ok",
  });
  t.is(checks["service-embed-1 vector"]?.numbers?.dimensions, 768);
  t.false(JSON.stringify(checks).includes("s3cret"));
});

test.serial("a wrong key, model or dimension, and models without a server, are told apart", async (t) => {
  const keyless = await examine({ "service-llm-1-small": chat({ api_key: "other" }) });
  t.like(keyless["service-llm-1-small chat"], { outcome: "failed", said: "no answer: misconfigured" });
  t.like(keyless.configured, {
    outcome: "warning",
    said: "service-llm-1-large, service-embed-1 have no server and answer 503",
  });
  const renamed = await examine({ "service-llm-1-small": chat({ model: "qwen" }) });
  t.like(renamed["service-llm-1-small list"], {
    outcome: "warning",
    remedy: ["it lists smollm2-135m-instruct, all-minilm-l6-v2: is `model` right?"],
  });
  t.is(renamed["service-llm-1-small chat"]?.outcome, "failed");
  const sized = await examine({ "service-embed-1": vectors({ native_dimensions: 1_024 }) });
  t.like(sized["service-embed-1 vector"], { outcome: "failed", remedy: ["say native_dimensions: 384"] });
});

test("a server that is not there, one that is something else, and an id of no model", async (t) => {
  const nowhere = `http://127.0.0.1:${await freePort()}/v1`;
  const gone = await examine({ "service-llm-1-small": { url: nowhere, model: "m" } });
  t.is(gone["service-llm-1-small list"]?.said, `${nowhere} does not answer: ECONNREFUSED`);
  t.regex(gone["service-llm-1-small chat"]?.said ?? "", /^no answer: network/);
  const page = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await once(page, "listening");
  t.teardown(() => page.close());
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const other = await examine({ "service-llm-1-small": { url, model: "m" } });
  t.is(other["service-llm-1-small list"]?.outcome, "warning");
  t.like(other["service-llm-1-small chat"], {
    outcome: "failed",
    remedy: ["something else than an OpenAI-compatible server answers there"],
  });
  t.like((await examine({ "service-llm-9": { url, model: "m" } })).configured, {
    outcome: "failed",
    said: "no model is called service-llm-9",
  });
  t.like((await examine({})).configured, { outcome: "skipped" });
});
