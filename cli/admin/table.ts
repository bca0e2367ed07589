/** Rows of equal length as aligned lines, the first a heading. `columns` has `l` or `r` for each, e.g. `lrr`. */
export function table(rows: string[][], columns: string): string[] {
  const widths = [...columns].map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const write = (row: string[]) =>
    row
      .map((cell, at) => (columns[at] === "r" ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  const [heading = [], ...body] = rows;
  return [write(heading), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(write)];
}
