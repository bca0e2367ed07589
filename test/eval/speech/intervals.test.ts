import test from "ava";
import { bootstrap, percentile, poisson, wilson } from "../../../eval/speech/measure/intervals.ts";

const near = (t: import("ava").ExecutionContext, actual: number | undefined, expected: number, within = 5e-4) =>
  t.true(Math.abs((actual ?? Number.NaN) - expected) <= within, `${actual} instead of ${expected}`);

test("Wilson's interval", (t) => {
  // statsmodels.stats.proportion.proportion_confint(hits, n, method="wilson")
  for (const [hits, n, low, high] of [
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [98, 100, 0.93, 0.9945],
    [5, 20, 0.1119, 0.4687],
  ] as const) {
    near(t, wilson(hits, n)?.low, low);
    near(t, wilson(hits, n)?.high, high);
  }
  t.is(wilson(0, 0), null);
});

test("Garwood's interval of a count", (t) => {
  // scipy.stats.chi2.ppf(0.025, 2 k) / 2 and chi2.ppf(0.975, 2 k + 2) / 2
  for (const [count, low, high] of [
    [0, 0, 3.6889],
    [1, 0.0253, 5.5716],
    [10, 4.7954, 18.3904],
    [100, 81.3639, 121.6272],
  ] as const) {
    near(t, poisson(count).low, low);
    near(t, poisson(count).high, high);
  }
});

test("percentiles lie between ranks", (t) => {
  t.is(percentile([1, 2, 3, 4], 50), 2.5);
  t.is(percentile([1, 2, 3, 4], 100), 4);
  t.is(percentile([7], 95), 7);
});

test("the bootstrap's interval is about two standard errors on both sides, and the seed fixes it", (t) => {
  const units = Array.from({ length: 400 }, (_, i) => i % 2); // mean 0.5, standard error 0.025
  const mean = (drawn: readonly number[]) => drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  const interval = bootstrap(units, mean, { resamples: 2_000 });
  near(t, interval?.low, 0.451, 0.004);
  near(t, interval?.high, 0.549, 0.004);
  t.deepEqual(bootstrap(units, mean, { resamples: 500, seed: 3 }), bootstrap(units, mean, { resamples: 500, seed: 3 }));
  t.notDeepEqual(
    bootstrap(units, mean, { resamples: 500, seed: 3 }),
    bootstrap(units, mean, { resamples: 500, seed: 4 }),
  );
  t.is(bootstrap([1], mean), null);
});
