import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import test from "ava";
import { pages } from "../../docs/pages.ts";

const root = join(import.meta.dirname, "../..");

for (const [name, text] of Object.entries(pages)) {
  test(`docs/${name} is what the code says`, async (t) => {
    t.is(await readFile(join(root, "docs", name), "utf8"), text());
  });
}

test("every link between the documents leads somewhere", async (t) => {
  const documents = ["README.md", "CONTRIBUTING.md", "embedded/sample/README.md"];
  const names = await readdir(join(root, "docs"), { recursive: true });
  for (const name of names) if (name.endsWith(".md")) documents.push(`docs/${name}`);
  for (const document of documents) {
    const text = await readFile(join(root, document), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path ? join(root, dirname(document), path) : join(root, document);
      const linked = await readFile(file, "utf8").catch(() => undefined);
      t.truthy(linked !== undefined, `${document} links to ${target}`);
      if (anchor && linked) {
        const anchors = [...linked.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
          heading
            .toLowerCase()
            .replaceAll(/[^\w\s-]/g, "")
            .replaceAll(" ", "-"),
        );
        t.true(anchors.includes(anchor), `${document} links to ${target}`);
      }
    }
  }
});

test("every npm script is in CONTRIBUTING.md", async (t) => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const text = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const missing = Object.keys(scripts).filter(
    (name) => name !== "postinstall" && !new RegExp(`npm (run )?${name}\\b`).test(text),
  );
  t.deepEqual(missing, []);
});
