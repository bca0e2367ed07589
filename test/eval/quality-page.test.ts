import test from "ava";
import { markdownTable, withFigures } from "../../eval/quality-page.ts";

test("figures go to the end of the page, and later replace themselves and nothing else", (t) => {
  const first = withFigures("# Quality\n\n## Sets\n\nTen.\n", "speech", "Speech", "one");
  t.regex(first, /^# Quality\n\n## Sets\n\nTen\.\n\n## Speech\n\n<!-- figures: speech.*-->\n\none\n\n<!-- end/s);
  const around = `${first}\nWhat is soft about it.\n`;
  const second = withFigures(around, "speech", "Speech", "two\n");
  t.is(second, around.replace("one", "two"));
  t.regex(withFigures(second, "long", "Ten hours", "three"), /two.*What is soft.*## Ten hours.*three/s);
  t.regex(withFigures("", "speech", "Speech", "one"), /^# Quality\n\n## Speech\n/);
});

test("a Markdown table has columns of one width, and a bar in a cell is no border", (t) => {
  t.is(
    markdownTable([
      ["a", "figure"],
      ["x|y", "1"],
    ]),
    "| a    | figure |\n| ---- | ------ |\n| x\\|y | 1      |",
  );
});
