import { type Benchmark, wholeNumber } from "./benchmark.ts";
import { onControlPlane } from "./operator/on-control-plane.ts";
import { Parts } from "./operator/parts.ts";
import { type Measured, report } from "./operator/report.ts";
import { measureScaleDowns } from "./operator/scale-downs.ts";
import { measureSmallTenant } from "./operator/small-tenant.ts";

/** In the order of their run: those first that a busy machine spoils most. */
const DEFAULTS = { downs: 200, small: 10, zero: 20, scale: 100, status: 100, quiet: 10 };
type Part = keyof typeof DEFAULTS;
const PARTS = Object.keys(DEFAULTS) as Part[];

export const operator: Benchmark = {
  summary: "the operator on a real control plane: how soon it acts, what it writes, what becomes of the work",
  help: `  --only PARTS   of ${PARTS.join(", ")}, separated by commas (all)
  --downs N      workers drained at random while recordings are recognised (${DEFAULTS.downs}); a tenth as many by SIGTERM
  --small N      recordings of a minute, on an idle system and beside 32 of ten hours (${DEFAULTS.small})
  --zero N       times from no speech worker to a transcript (${DEFAULTS.zero})
  --scale N      backlogs that become a scale (${DEFAULTS.scale})
  --status N     changes of one of ten pools until its status (${DEFAULTS.status})
  --quiet N      minutes in which nothing happens and nothing may be written (${DEFAULTS.quiet})
  --seed N       of what happens by chance (1)

All parts but downs and small need the programs that \`npm run cluster:build\` makes. What a part that was left out would
say is null; so is what a part that failed would say, the others go on, and \`failed\` names it.`,
  options: Object.fromEntries(["only", "seed", ...PARTS].map((name) => [name, { type: "string" as const }])),
  run: async (options, say) => {
    const only = options.only?.split(",") ?? PARTS;
    const unknown = only.find((part) => !(PARTS as readonly string[]).includes(part));
    if (unknown !== undefined) throw new Error(`--only knows ${PARTS.join(", ")}, and no ${unknown}`);
    const runs = new Map(PARTS.map((part) => [part, wholeNumber(options, part, DEFAULTS[part])]));
    const seed = wholeNumber(options, "seed", 1);
    const wanted = (part: Part) => (only.includes(part) ? runs.get(part) : undefined);

    const measured: Measured = {};
    const parts = new Parts(say);
    const downs = wanted("downs");
    if (downs) {
      const options = { scaleDowns: downs, sigterms: Math.ceil(downs / 10), seed, say };
      measured.downs = await parts.run("downs", () => measureScaleDowns(options));
    }
    const files = wanted("small");
    if (files) {
      measured.small = await parts.run("small", () => measureSmallTenant({ fairness: true, files, say }));
      measured.smallWithoutFairness = await parts.run("small without fairness", () =>
        measureSmallTenant({ fairness: false, files, say }),
      );
    }
    await onControlPlane(wanted, { parts, say, take: (figures) => void Object.assign(measured, figures) });
    const asked = Object.fromEntries(PARTS.map((part) => [`${part}_runs`, wanted(part) ?? null]));
    return report(measured, parts.failed, { ...asked, seed });
  },
};
