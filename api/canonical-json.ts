import { scalarEnd } from "./json-text.ts";

/**
 * Members sorted by name, white space gone, numbers as they were written, so that integers beyond 2^53 still differ.
 * Two bodies are "the same" for an Idempotency-Key when this is. `json` is valid JSON. One pass over the text with a
 * stack of its own: JSON.parse with a reviver holds the event loop for seconds on 4 MB of small values, and recursion
 * ends at deep ones.
 */
export function canonicalJson(json: string): string {
  const open: Container[] = [];
  let whole = "";
  const add = (text: string) => {
    const container = open.at(-1);
    if (container === undefined) whole = text;
    else if (container.members === null) container.items.push(text);
    else if (container.name === null) container.name = text;
    else {
      // The last of several wins, as in JSON.parse.
      container.members.set(container.name, text);
      container.name = null;
    }
  };
  for (let at = 0; at < json.length; ) {
    const character = json.charAt(at);
    if (character === "{" || character === "[") {
      open.push({ members: character === "{" ? new Map() : null, items: [], name: null });
      at += 1;
    } else if (character === "}" || character === "]") {
      const closed = open.pop();
      if (closed) add(write(closed));
      at += 1;
    } else if (character <= " " || character === "," || character === ":") {
      at += 1;
    } else {
      const end = scalarEnd(json, at);
      const text = json.slice(at, end);
      // Without an escape there is one way to write a string.
      add(character === '"' && text.includes("\\") ? JSON.stringify(JSON.parse(text)) : text);
      at = end;
    }
  }
  return whole;
}

/** An array or, with `members`, an object that is not closed yet; `name` is the member whose value comes next. */
interface Container {
  members: Map<string, string> | null;
  items: string[];
  name: string | null;
}

function write({ members, items }: Container): string {
  if (members === null) return `[${list(items)}]`;
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${list(sorted.map(([name, value]) => `${name}:${value}`))}}`;
}

/** Not `join`, which copies: every level of a deep body would copy all the levels inside it. */
function list(items: string[]): string {
  let text = "";
  for (const item of items) text += text === "" ? item : `,${item}`;
  return text;
}
