import test from "ava";
import { measureScaleDowns } from "../../bench/operator/scale-downs.ts";

/**
 * A stock server but for its polls: after 60 s, or 10 s where the SDK has shortened them, they end a second before the
 * SDK stops listening, and a machine that runs other tests besides may need longer than that for an answer.
 */
const dynamicConfig = ['matching.longPollExpirationInterval="4s"'];

test.serial("workers drained over HTTP, and ended by SIGTERM alone, lose and repeat nothing under load", async (t) => {
  const figures = await measureScaleDowns({
    scaleDowns: 8,
    sigterms: 2,
    seed: 1,
    dynamicConfig,
    inFlight: 5,
    say: t.log,
  });
  t.like(figures, { scale_downs: 8, sigterms: 2, activities_restarted: 0, tasks_lost: 0, transcripts_lost: 0 });
  t.true(figures.activities > 100);
});

test.serial("workers that have no time for their steps are seen to repeat them", async (t) => {
  const hurried = { inFlight: 3, windowMs: 300, graceSeconds: 0.001 };
  const figures = await measureScaleDowns({ scaleDowns: 0, sigterms: 4, seed: 1, dynamicConfig, ...hurried });
  t.true(figures.activities_restarted > 0);
  t.is(figures.transcripts_lost, 0);
});
