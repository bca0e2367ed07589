import test from "ava";
import { yaml } from "../../docs/yaml.ts";

test("objects and lists as blocks, with keys of any name", (t) => {
  const value = {
    default: {},
    "x-kubernetes-list-type": "set",
    list: [{ a: 1, b: [true, null] }, "text", [], [["deep"]]],
    nested: { deeper: { deepest: 0.5 } },
    left: undefined,
  };
  t.is(
    yaml(value),
    `default: {}
x-kubernetes-list-type: set
list:
  - a: 1
    b:
      - true
      - null
  - text
  - []
  - - - deep
nested:
  deeper:
    deepest: 0.5
`,
  );
});

const texts: [text: string, written: string][] = [
  ["plain words, no", '"plain words, no"'],
  ["plain words", "plain words"],
  [".spec.replicas", ".spec.replicas"],
  ["a/b-c_d.e", "a/b-c_d.e"],
  ["", '""'],
  ["yes", '"yes"'],
  ["Null", '"Null"'],
  ["12", '"12"'],
  ["a: b", '"a: b"'],
  ["# no comment", '"# no comment"'],
  ["- no list", '"- no list"'],
  ["it's", '"it\'s"'],
  ['say "x"\n', '"say \\"x\\"\\n"'],
  ["trailing ", '"trailing "'],
];
for (const [text, written] of texts) {
  test(`text ${JSON.stringify(text)}`, (t) => {
    t.is(yaml({ key: text }), `key: ${written}\n`);
  });
}
