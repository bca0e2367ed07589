import test from "ava";
import { readBalance } from "../../billing/credit.ts";
import { type Double, fails, startDouble } from "../upstream/double.ts";
import { embeds, vectorOf } from "../upstream/embeds.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

const MODEL = "service-embed-1";

let upstream: Double;
let harness: Harness;
test.before(async () => {
  upstream = await startDouble();
  const servers = { [MODEL]: { url: upstream.url, model: "theirs", native_dimensions: 1_024 } };
  harness = await startHarness(
    { ESCRIBA_UPSTREAMS: JSON.stringify(servers) },
    { upstream: { timing: { firstWaitMs: 1 } } },
  );
});
test.after.always(async () => {
  await harness?.stop();
  await upstream?.stop();
});
test.beforeEach(() => {
  upstream.answer(embeds());
  upstream.seen.length = 0;
});

const embed = (tenant: Tenant, json: object, headers: Record<string, string> = {}) =>
  tenant.call("POST", "/v1/embeddings", { json: { model: MODEL, ...json }, headers });
const spent = async ({ organizationId }: Tenant) => {
  const { balance, held } = await readBalance(harness.postgres.db, organizationId);
  return { eur: (100 - Number(balance)).toFixed(9), held: Number(held) };
};
const NOTHING = { eur: "0.000000000", held: 0 };

test.serial("one text: one vector of 768, its tokens charged at 0.28 a million", async (t) => {
  const tenant = await harness.tenant();
  const { status, body } = await embed(tenant, { input: "hola" });
  t.is(status, 200);
  t.deepEqual(body, {
    object: "list",
    model: MODEL,
    data: [{ object: "embedding", index: 0, embedding: vectorOf("hola") }],
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
  t.deepEqual(await spent(tenant), { eur: "0.000001120", held: 0 });
  t.deepEqual(upstream.seen[0]?.body, { model: "theirs", input: ["hola"], dimensions: 768, encoding_format: "float" });
});

test.serial("256 texts: asked in requests of 32, answered in order whatever the upstream's", async (t) => {
  const tenant = await harness.tenant();
  const input = Array.from({ length: 256 }, (_, i) => `texto ${i}`);
  const { body } = await embed(tenant, { input });
  t.deepEqual(
    body.data.map(({ index }: { index: number }) => index),
    input.map((_, i) => i),
  );
  t.deepEqual(
    body.data.map(({ embedding }: { embedding: number[] }) => embedding),
    input.map((text) => vectorOf(text)),
  );
  t.is(upstream.seen.length, 8);
  t.is(body.usage.total_tokens, input.join("").length);
});

test.serial("base64: little-endian 32-bit floats", async (t) => {
  const { body } = await embed(await harness.tenant(), { input: "hola", encoding_format: "base64" });
  const bytes = Buffer.from(body.data[0].embedding, "base64");
  t.deepEqual(
    Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4)),
    vectorOf("hola"),
  );
});

test.serial(
  "dimensions: from 1 to the server's maximum, null is the default, the maximum is the server's own",
  async (t) => {
    const tenant = await harness.tenant();
    for (const [dimensions, length] of [
      [1, 1],
      [512, 512],
      [null, 768],
    ]) {
      const { body } = await embed(tenant, { input: "hola", dimensions });
      t.is(body.data[0].embedding.length, length);
    }
    upstream.answer(embeds({ dimensions: 1_024 }));
    t.is((await embed(tenant, { input: "hola", dimensions: 1_024 })).body.data[0].embedding.length, 1_024);
    t.is(upstream.seen.at(-1)?.body.dimensions, undefined);
  },
);

test.serial("fields that are not ours are discarded, null is absent", async (t) => {
  const json = { input: ["hola"], encoding_format: null, user: "u", truncate: true, tools: [{}], nested: { a: 1 } };
  t.is((await embed(await harness.tenant(), json)).status, 200);
  t.deepEqual(Object.keys(upstream.seen[0]?.body), ["model", "input", "dimensions", "encoding_format"]);
});

for (const [what, json, code, param] of [
  ["no model", { model: undefined, input: "a" }, "missing_parameter", "model"],
  ["a model that is none", { model: "text-embedding-3-small", input: "a" }, "invalid_model", "model"],
  ["a chat model", { model: "service-llm-1-small", input: "a" }, "invalid_model", "model"],
  ["a model that is a number", { model: 1, input: "a" }, "invalid_parameter", "model"],
  ["no input", {}, "missing_parameter", "input"],
  ["null as input", { input: null }, "invalid_parameter", "input"],
  ["an object as input", { input: { text: "a" } }, "invalid_parameter", "input"],
  ["an empty text", { input: "" }, "invalid_parameter", "input"],
  ["an empty array", { input: [] }, "invalid_parameter", "input"],
  ["an empty text among others", { input: ["a", ""] }, "invalid_parameter", "input.1"],
  ["257 texts", { input: Array(257).fill("a") }, "invalid_parameter", "input"],
  ["an array of tokens", { input: [15_496, 995] }, "invalid_parameter", "input.0"],
  ["an array of arrays of tokens", { input: [[15_496], [995]] }, "invalid_parameter", "input.0"],
  ["half a character", { input: ["a", "\ud800"] }, "invalid_parameter", "input.1"],
  ["no dimensions at all", { input: "a", dimensions: 0 }, "invalid_parameter", "dimensions"],
  ["half a dimension", { input: "a", dimensions: 1.5 }, "invalid_parameter", "dimensions"],
  ["dimensions as text", { input: "a", dimensions: "768" }, "invalid_parameter", "dimensions"],
  ["more dimensions than there are", { input: "a", dimensions: 1_025 }, "invalid_parameter", "dimensions"],
  ["another encoding", { input: "a", encoding_format: "int8" }, "invalid_parameter", "encoding_format"],
] as const) {
  test.serial(`400 ${code}: ${what}`, async (t) => {
    const tenant = await harness.tenant();
    const { status, body } = await embed(tenant, json);
    t.is(status, 400);
    t.is(body.error.code, code);
    t.is(body.error.param, param);
    t.is(upstream.seen.length, 0);
    t.deepEqual(await spent(tenant), NOTHING);
  });
}

test.serial(
  "400 input: over the window, by the upstream's refusal or by its count; never cut, never billed",
  async (t) => {
    const tenant = await harness.tenant();
    const long = "a".repeat(40_000);
    for (const { status, body } of [
      await embed(tenant, { input: ["a", long] }),
      await (async () => {
        upstream.answer(fails(400, { error: { code: "context_length_exceeded", message: "no" } }));
        return embed(tenant, { input: long });
      })(),
    ]) {
      t.is(status, 400);
      t.is(body.error.code, "invalid_parameter");
      t.is(body.error.param, "input");
    }
    t.true(upstream.seen.some(({ body }) => body.input.length === 1 && body.input[0] === long));
    t.deepEqual(await spent(tenant), NOTHING);
  },
);

test.serial("413 file_too_large over 16 MB; below it a body is read", async (t) => {
  const tenant = await harness.tenant();
  t.is((await embed(tenant, { input: "a".repeat(16 * 1024 * 1024) })).status, 413);
  const input = Array.from({ length: 256 }, () => "ab ".repeat(10_000));
  t.is((await embed(tenant, { input })).status, 200);
  for (const { body } of upstream.seen) t.true(JSON.stringify(body.input).length <= 256 * 1024 + 1_000);
});

for (const [what, script] of [
  ["another dimension than asked for", embeds({ dimensions: 384 })],
  [
    "fewer vectors than texts",
    (seen) => embeds()({ ...seen, body: { ...seen.body, input: seen.body.input.slice(1) } }),
  ],
  ["500 on every try", fails(500)],
  ["a wrong key", fails(401)],
] as [string, ReturnType<typeof fails>][]) {
  test.serial(`503 upstream_unavailable, not billed: ${what}, in one request of three`, async (t) => {
    const tenant = await harness.tenant();
    const good = embeds();
    upstream.answer((seen) => (seen.body.input.includes("bad") ? script(seen) : good(seen)));
    const { status, body } = await embed(tenant, { input: [...Array(70).fill("good"), "bad", "good"] });
    t.is(status, 503);
    t.is(body.error.code, "upstream_unavailable");
    t.deepEqual(await spent(tenant), NOTHING);
  });
}

test.serial("without usage from the upstream the tokens are estimated, and marked so", async (t) => {
  const tenant = await harness.tenant();
  upstream.answer(embeds({ counted: false }));
  const { body } = await embed(tenant, { input: ["doce letras.", "a"] });
  t.is(body.usage.total_tokens, 4);
  const [call] = await harness.postgres.db.usageCall.findMany({ where: { organizationId: tenant.organizationId } });
  t.like(call, { estimated: true, status: "charged" });
});

test.serial(
  "402 insufficient_credit: no balance, or less than the upper bound; the upstream is not asked",
  async (t) => {
    t.is((await embed(await harness.tenant({ credit: "0" }), { input: "a" })).status, 402);
    // The bound of 1,000 bytes is 1,008 tokens, 0.00028224 €.
    t.is((await embed(await harness.tenant({ credit: "0.000282239" }), { input: "a".repeat(1_000) })).status, 402);
    t.is(upstream.seen.length, 0);
    t.is((await embed(await harness.tenant({ credit: "0.00028224" }), { input: "a".repeat(1_000) })).status, 200);
  },
);

test.serial("403 missing_scope without embeddings:invoke", async (t) => {
  const { status, body } = await embed(await harness.tenant({ scopes: ["llm:invoke"] }), { input: "a" });
  t.is(status, 403);
  t.is(body.error.param, "embeddings:invoke");
});
