import test from "ava";
import { ApiError, NoAnswer } from "../../operator/kubernetes/api.ts";
import { LEASES } from "../../operator/kubernetes/resources.ts";
import { LEASE_MS, LeaderLease, LeaseLost, RENEWED_WITHIN_MS } from "../../operator/leader/lease.ts";
import { VirtualClock } from "./model/clock.ts";
import { MemoryApi } from "./model/memory-api.ts";

function setUp() {
  const clock = new VirtualClock();
  const api = new MemoryApi(clock);
  const faults: string[] = [];
  const onFault = (error: unknown) => faults.push((error as Error).message);
  const candidate = (identity: string, own = clock) => {
    const lease = new LeaderLease({ api, clock: own, random: () => 0.5, namespace: "n", name: "lease", identity });
    const end = new AbortController();
    const state = { acquired: false, lost: undefined as string | undefined };
    const run = async () => {
      await lease.acquire(end.signal, onFault);
      state.acquired = lease.held;
      await lease.keep(end.signal, onFault);
    };
    const running = run().catch((error) => {
      state.lost = (error as Error).name;
    });
    const stop = () => {
      end.abort();
      return running;
    };
    return { lease, state, stop };
  };
  const holder = async () => (await api.get(LEASES, "n", "lease")).spec.holderIdentity;
  return { clock, api, candidate, holder, faults };
}

test("one of two leads, and renews for as long as it lives", async (t) => {
  const { clock, candidate, holder } = setUp();
  const [a, b] = [candidate("a"), candidate("b")];
  await clock.advance(10 * 60_000);
  t.deepEqual([a.state.acquired, b.state.acquired], [true, false]);
  t.true(a.lease.held);
  t.is(await holder(), "a");
});

test("given back, it is another's at its next try", async (t) => {
  const { clock, candidate, holder } = setUp();
  const a = candidate("a");
  await clock.advance(5_000);
  const b = candidate("b");
  await clock.advance(5_000);
  await a.stop();
  await a.lease.release();
  t.false(a.lease.held);
  await clock.advance(3_000);
  t.true(b.state.acquired);
  t.is(await holder(), "b");
});

test("another takes it only after its whole time without a renewal, by its own clock", async (t) => {
  const { clock, api, candidate } = setUp();
  const a = candidate("a");
  await clock.advance(1_000);
  await a.stop(); // gone without a word
  // What stands in the lease about times is for people: here it is far in the future.
  const held = await api.get(LEASES, "n", "lease");
  await api.replace(LEASES, { ...held, spec: { ...held.spec, renewTime: "2099-01-01T00:00:00.000000Z" } });
  const b = candidate("b");
  await clock.advance(LEASE_MS - 500);
  t.false(b.state.acquired);
  await clock.advance(4_000);
  t.true(b.state.acquired);
});

test("a leader that cannot renew stops before another may begin", async (t) => {
  const { clock, api, candidate, faults } = setUp();
  const a = candidate("a");
  await clock.advance(5_000);
  const replace = api.replace.bind(api);
  api.replace = async (resource, object) => {
    if ((object as { spec?: { holderIdentity?: string } }).spec?.holderIdentity === "a") {
      throw new ApiError(500, "InternalError", "the store is away");
    }
    return replace(resource, object);
  };
  const b = candidate("b");
  let overlap = false;
  for (let at = 0; at < 30; at += 1) {
    await clock.advance(1_000);
    overlap ||= a.lease.held && b.lease.held;
  }
  t.false(overlap);
  t.is(a.state.lost, "LeaseLost");
  t.true(b.state.acquired);
  t.true(faults.includes("the store is away"));
});

test("a process that was stopped for a while finds that it leads no more before it writes", async (t) => {
  const { clock, candidate } = setUp();
  const a = candidate("a");
  await clock.advance(5_000);
  await a.stop(); // its timers do not run, as when a process is paused
  await clock.advance(RENEWED_WITHIN_MS);
  t.throws(() => a.lease.check(), { instanceOf: LeaseLost });
});

test("a renewal whose answer never came is no loss", async (t) => {
  const { clock, api, candidate } = setUp();
  const a = candidate("a");
  await clock.advance(5_000);
  const replace = api.replace.bind(api);
  let lost = 0;
  api.replace = async (resource, object) => {
    const done = await replace(resource, object);
    if (lost++ % 2 === 0) throw new NoAnswer("PUT lease: no answer in time");
    return done;
  };
  await clock.advance(60_000);
  t.true(a.lease.held);
  t.is(a.state.lost, undefined);
  t.true(lost > 20);
});

test("a lease that somebody deleted is lost", async (t) => {
  const { clock, api, candidate } = setUp();
  const a = candidate("a");
  await clock.advance(5_000);
  const { metadata } = await api.get(LEASES, "n", "lease");
  const { uid = "", resourceVersion = "" } = metadata;
  await api.delete(LEASES, "n", "lease", { uid, resourceVersion });
  await clock.advance(3_000);
  t.is(a.state.lost, "LeaseLost");
  t.false(a.lease.held);
});

test("an API server that is away at first is waited for", async (t) => {
  const { clock, api, candidate, faults } = setUp();
  const get = api.get.bind(api);
  api.get = async () => {
    throw new NoAnswer("GET lease: connect ECONNREFUSED");
  };
  const a = candidate("a");
  await clock.advance(30_000);
  t.false(a.state.acquired);
  t.false(a.lease.known);
  t.true(faults.length > 5);
  api.get = get;
  await clock.advance(5_000);
  t.true(a.state.acquired);
});
