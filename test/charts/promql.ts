/** What a query reads: metrics with the labels it matches them by, and labels that it groups or joins by. */
export interface QueryNames {
  metrics: { name: string; labels: string[] }[];
  grouping: string[];
}

const CLAUSES = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const WORDS = new Set(["and", "or", "unless", "bool", "offset", "group_left", "group_right", "inf", "nan"]);

/**
 * Names in a PromQL expression. No parser: promtool finds what is no PromQL; this finds what is read in one that is. Label
 * values must hold no braces.
 */
export function namesIn(expression: string): QueryNames {
  const grouping: string[] = [];
  const text = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(CLAUSES, (_, labels: string) => {
      grouping.push(...labels.split(",").map((label) => label.trim()));
      return " ";
    })
    .replaceAll(/\[[^\]]*\]/g, " ");
  const metrics: QueryNames["metrics"] = [];
  for (const [, name = "", braces = "", call] of text.matchAll(
    /(?<![\w:.])([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?\s*(\()?/g,
  )) {
    if (call || WORDS.has(name.toLowerCase())) continue;
    metrics.push({
      name,
      labels: [...braces.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
    });
  }
  return { metrics, grouping: grouping.filter((label) => label !== "") };
}
