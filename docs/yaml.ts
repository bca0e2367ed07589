/**
 * JSON values as YAML in block style. Not the Kubernetes client's `dumpYaml`, which goes by its typed models and
 * leaves out what JSON calls `default` or `x-kubernetes-…`.
 */
export function yaml(value: unknown): string {
  return `${block(value, "").replace(/^\n/, "")}\n`;
}

function block(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((item) => `\n${indent}- ${block(item, `${indent}  `).trimStart()}`).join("");
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return fields
      .map(([key, field]) => {
        const text = block(field, `${indent}  `);
        return `\n${indent}${scalar(key)}:${text.startsWith("\n") ? text : ` ${text}`}`;
      })
      .join("");
  }
  return typeof value === "string" ? scalar(value) : JSON.stringify(value);
}

/** Words that YAML, or an older version of it, takes for something else than text. */
const NOT_TEXT = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

/** Plain where it cannot be taken for anything else; else as JSON, whose strings are strings of YAML too. */
function scalar(text: string): string {
  const plain = /^[A-Za-z./][\w./-]*( [\w./-]+)*$/.test(text) && !NOT_TEXT.test(text);
  return plain ? text : JSON.stringify(text);
}
