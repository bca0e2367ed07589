/** One value of values.yaml, as its comment tells it. */
export interface ValueRow {
  /** Dotted, e.g. `api.ingress.enabled`. */
  path: string;
  /** The comment above the key, as one line. */
  text: string;
}

export interface ValueSection {
  title: string;
  /** Paragraph below the title, or empty. */
  text: string;
  rows: ValueRow[];
  /** Keys without a comment that hold none with one either. */
  silent: string[];
}

const KEY = /^( *)([A-Za-z0-9_]+):(.*)$/;

/**
 * The comments of values.yaml: `## Title`, more lines `## …` for a paragraph below it, and `# …` above a key. Read as
 * text, since a YAML parser throws comments away. A key whose value is a block speaks for the block when it has a
 * comment; without one, each key in it must have its own.
 */
export function readValuesText(source: string): ValueSection[] {
  const sections: ValueSection[] = [];
  const open: { indent: number; name: string; told: boolean }[] = [];
  let comment: string[] = [];
  let pending: { path: string; indent: number } | undefined;
  let inTitle = false;
  for (const line of source.split("\n")) {
    const current = sections.at(-1);
    if (line.startsWith("## ")) {
      if (inTitle && current) current.text = `${current.text} ${line.slice(3)}`.trim();
      else sections.push({ title: line.slice(3), text: "", rows: [], silent: [] });
      inTitle = true;
      continue;
    }
    inTitle = false;
    const trimmed = line.trim();
    if (trimmed.startsWith("# ")) {
      comment.push(trimmed.slice(2));
      continue;
    }
    const key = KEY.exec(line);
    if (!key || !current) {
      if (trimmed === "") comment = [];
      continue;
    }
    const [, spaces = "", name = "", rest = ""] = key;
    const indent = spaces.length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const path = [...open.map((one) => one.name), name].join(".");
    const told = open.some((one) => one.told);
    // A block without a comment and without a key below it has nobody that speaks for it.
    if (pending && pending.indent >= indent) current.silent.push(pending.path);
    pending = undefined;
    if (comment.length > 0) current.rows.push({ path, text: comment.join(" ") });
    else if (!told && rest.trim() === "") pending = { path, indent };
    else if (!told) current.silent.push(path);
    open.push({ indent, name, told: comment.length > 0 });
    comment = [];
  }
  return sections;
}
