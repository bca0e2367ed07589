/**
 * `npm run conformance [-- --json]`: reads docs/conformance.md, finds every test it names in the sources, and fails when
 * a rule has none or names one that does not exist. Rules of parts that are not built yet say `later: <part>` and are
 * counted apart.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../bench/benchmark.ts";

const ROOT = join(import.meta.dirname, "..");

export interface Rule {
  /** Section of the specification and number in it, e.g. `2.4-3`; `D1-7` for the decisions. */
  id: string;
  text: string;
  /** `file › title` each, files below test/. */
  tests: string[];
  /** The part that will bring the proof; null where there is one. */
  later: string | null;
}

export interface Conformance {
  rules: Rule[];
  /** What is wrong, a line each: no proof, an unknown test, an id twice. */
  faults: string[];
}

const ROW = /^\| *((?:\d+(?:\.\d+)?|D\d+)-\d+) *\| *(.*?) *\| *(.*?) *\|$/;

/** Rows of the tables; everything else is prose. */
export function readRules(markdown: string): Rule[] {
  return markdown.split("\n").flatMap((line) => {
    const [, id, text, proof] = ROW.exec(line) ?? [];
    if (id === undefined || text === undefined || proof === undefined) return [];
    const later = /^later: (\S.*)$/.exec(proof)?.[1] ?? null;
    const tests = later === null ? proof.split("<br>").map((test) => unquoted(test.trim())) : [];
    return [{ id, text, tests: tests.filter((test) => test !== ""), later }];
  });
}

/** Back-ticks around a whole proof are for readers; a bar is escaped in a table. */
function unquoted(proof: string): string {
  return proof.replace(/^`(.*)`$/, "$1").replaceAll("\\|", "|");
}

/** `source` answers a test file's text by its path below test/, or null. */
export function checkRules(rules: readonly Rule[], source: (file: string) => string | null): Conformance {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { id, tests, later } of rules) {
    if (seen.has(id)) faults.push(`${id}: stands there twice`);
    seen.add(id);
    if (later === null && tests.length === 0) faults.push(`${id}: no test`);
    for (const test of tests) {
      const [file = "", title = ""] = test.split(" › ");
      const text = source(file);
      if (text === null) faults.push(`${id}: test/${file} does not exist`);
      else if (!titlesOf(text).some((written) => isTitle(title, written, text))) {
        faults.push(`${id}: test/${file} has no test “${title}”`);
      }
    }
  }
  return { rules: [...rules], faults };
}

const TEST = /^\s*test(?:\.\w+)?\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;

interface Written {
  text: string;
  /** A template literal, of which each case is a test. */
  template: boolean;
}

function titlesOf(source: string): Written[] {
  return [...source.matchAll(TEST)].map(([, plain, template]) => ({
    text: (plain ?? template ?? "").replace(/\\(.)/g, "$1"),
    template: plain === undefined,
  }));
}

/** A template names all its cases; of one case, what stands in the holes must be written in the file too, so that a case that is gone is noticed. */
function isTitle(title: string, { text, template }: Written, source: string): boolean {
  if (title === text) return true;
  if (!template) return false;
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const holes = new RegExp(`^${parts.join("(.+?)")}$`).exec(title)?.slice(1);
  return holes?.every((hole) => source.includes(hole)) ?? false;
}

export function conformance(): Conformance {
  const markdown = readFileSync(join(ROOT, "docs/conformance.md"), "utf8");
  const files = new Set(readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" }));
  return checkRules(readRules(markdown), (file) =>
    files.has(file) ? readFileSync(join(ROOT, "test", file), "utf8") : null,
  );
}

export interface Summary {
  rules: number;
  proven: number;
  /** Rules without a proof yet, by the part that brings it. */
  later: Record<string, number>;
  faults: number;
}

export function summarize({ rules, faults }: Conformance): Summary {
  const later: Record<string, number> = {};
  for (const rule of rules) if (rule.later !== null) later[rule.later] = (later[rule.later] ?? 0) + 1;
  const faulty = new Set(faults.map((fault) => fault.split(":")[0]));
  const proven = rules.filter(({ id, later: part }) => part === null && !faulty.has(id)).length;
  return { rules: rules.length, proven, later, faults: faults.length };
}

/** A line a section, for people. */
function sections(rules: readonly Rule[]): string {
  const lines = [...Map.groupBy(rules, ({ id }) => id.split("-")[0])].map(([section, all]) => {
    const open = all.filter(({ later }) => later !== null);
    const parts = [...new Set(open.map(({ later }) => later))].join(", ");
    return [section ?? "", String(all.length), String(all.length - open.length), parts];
  });
  return table([["Section", "Rules", "Proven", "Later"], ...lines]);
}

if (import.meta.main) {
  const found = conformance();
  const { rules, proven, later, faults } = summarize(found);
  process.stdout.write(`${sections(found.rules)}\n\n`);
  for (const fault of found.faults) process.stdout.write(`${fault}\n`);
  const waiting = Object.entries(later).map(([part, count]) => `${count} with ${part}`);
  process.stdout.write(`${proven} of ${rules} rules are proven; later: ${waiting.join(", ") || "none"}\n`);
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ rules, proven, later, faults })}\n`);
  process.exitCode = faults > 0 ? 1 : 0;
}
