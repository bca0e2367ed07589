import test from "ava";
import { Breaker, type Verdict } from "../../upstream/breaker.ts";
import { UpstreamUnavailable } from "../../upstream/errors.ts";
import { fails, says } from "./double.ts";
import { HandClock } from "./hand-clock.ts";
import { all, startUpstream } from "./harness.ts";

const TIMING = { failures: 3, spanMs: 5_000, openMs: 10_000 };

function start() {
  const clock = new HandClock();
  const breaker = new Breaker(clock, TIMING);
  const pass = (verdict: Verdict) => {
    const answer = breaker.admit();
    answer?.(verdict);
    return answer !== null;
  };
  return { clock, breaker, pass };
}

/** Three failures over five seconds. */
function open() {
  const parts = start();
  for (const ms of [0, 1_000, 4_000]) {
    parts.clock.advance(ms);
    parts.pass("failure");
  }
  return parts;
}

test("failures in a row open it; a success between them does not let it come to that", (t) => {
  const { breaker, clock } = open();
  t.is(breaker.state, "open");
  t.is(breaker.admit(), null);
  clock.advance(4_000);
  t.is(breaker.waitMs, 6_000);

  const mixed = start();
  for (const verdict of ["failure", "failure", "success", "failure", "failure"] as const) {
    mixed.pass(verdict);
    mixed.clock.advance(5_000);
  }
  t.is(mixed.breaker.state, "closed");
});

test("many failures at one moment are one blip, not a dead server", (t) => {
  const { breaker, clock, pass } = start();
  for (let i = 0; i < 100; i += 1) pass("failure");
  t.is(breaker.state, "closed");
  clock.advance(5_000);
  pass("failure");
  t.is(breaker.state, "open");
});

test("half open lets one probe through: its success closes, its failure opens again, what tells nothing does neither", (t) => {
  const { breaker, clock, pass } = open();
  clock.advance(10_000);
  t.is(breaker.state, "half_open");
  const probe = breaker.admit();
  t.not(probe, null);
  t.is(breaker.admit(), null, "one at a time");
  probe?.("neither");
  t.is(breaker.state, "half_open");
  t.true(pass("failure"));
  t.is(breaker.state, "open");
  t.is(breaker.waitMs, 10_000);
  clock.advance(10_000);
  t.true(pass("success"));
  t.is(breaker.state, "closed");
  t.true(pass("failure"));
  t.is(breaker.state, "closed", "the count starts again");
});

test("a try that was under way when it opened does not keep it open longer", (t) => {
  const parts = open();
  const { clock } = parts;
  const breaker = new Breaker(clock, TIMING);
  const late = breaker.admit();
  for (const ms of [0, 1_000, 4_000]) {
    clock.advance(ms);
    breaker.admit()?.("failure");
  }
  clock.advance(5_000);
  late?.("failure");
  t.is(breaker.waitMs, 5_000);
});

test("while open nothing is asked of the upstream and a call is refused at once, with when to come back", async (t) => {
  const { double, chat, clock, metric, stop } = await startUpstream();
  double.answer(fails(500));
  const first = chat();
  for (let tries = 1; tries < 4; tries += 1) {
    await double.arrived(tries);
    clock.advance(await clock.set((ms) => ms < 120_000));
  }
  await t.throwsAsync(first, { instanceOf: UpstreamUnavailable });
  await t.throwsAsync(chat(), { instanceOf: UpstreamUnavailable, message: /server_error/ });
  t.is(double.seen.length, 5, "the fifth failure in a row, five seconds after the first");
  t.is(await metric("escriba_upstream_breaker_state"), 2);
  clock.advance(4_000);
  const refused = (await chat().catch((error: unknown) => error)) as UpstreamUnavailable;
  t.is(refused.reason, "breaker_open");
  t.is(refused.retryAfterMs, 6_000);
  t.is(double.seen.length, 5);
  clock.advance(6_000);
  t.is(await metric("escriba_upstream_breaker_state"), 1);
  double.answer(says("uno"));
  await all(await chat());
  t.is(await metric("escriba_upstream_breaker_state"), 0);
  await stop();
});

test("a server that says 429 or 400 lives", async (t) => {
  const { double, chat, clock, metric, stop } = await startUpstream();
  const busy = fails(429, {}, { "Retry-After": "60" });
  for (const fault of [busy, fails(400)]) {
    double.answer(fault);
    for (let i = 0; i < 6; i += 1) {
      await t.throwsAsync(chat());
      clock.advance(1_000);
    }
  }
  t.is(await metric("escriba_upstream_breaker_state"), 0);
  t.is(double.seen.length, 12);
  await stop();
});
