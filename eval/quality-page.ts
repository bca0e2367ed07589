import { readFile, writeFile } from "node:fs/promises";

/** Where people read the figures. */
const PAGE = new URL("../docs/quality.md", import.meta.url);

const begin = (part: string) => `<!-- figures: ${part}, written by npm run eval -- ${part} --write -->`;
const end = (part: string) => `<!-- end of figures: ${part} -->`;

/**
 * The page with a part's figures between its two marks, replaced when they are there and else at the end of the page
 * under a heading of their own.
 */
export function withFigures(page: string, part: string, heading: string, body: string): string {
  const block = `${begin(part)}\n\n${body.trim()}\n\n${end(part)}`;
  const [from, to] = [page.indexOf(begin(part)), page.indexOf(end(part))];
  if (from >= 0 && to > from) return page.slice(0, from) + block + page.slice(to + end(part).length);
  const before = page.trim() === "" ? "# Quality" : page.trim();
  return `${before}\n\n## ${heading}\n\n${block}\n`;
}

/** Writes the figures of one part into docs/quality.md. */
export async function writeFigures(part: string, heading: string, body: string, page: URL = PAGE): Promise<void> {
  const text = await readFile(page, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  await writeFile(page, withFigures(text, part, heading, body));
}

/** A Markdown table as Prettier and the eye have it: columns as wide as their widest cell. */
export function markdownTable([head = [], ...rows]: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? "").length)));
  const line = (row: string[]) => `| ${widths.map((width, i) => (row[i] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(cells[0] ?? []), rule, ...cells.slice(1).map(line)].join("\n");
}
