/** Of a string or scalar that starts at `start` in valid JSON: where it ends. */
export function scalarEnd(json: string, start: number): number {
  return json.charCodeAt(start) === QUOTE ? stringEnd(json, start) : literalEnd(json, start);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
}

/** Numbers, true, false and null end at a comma, a closing bracket, or white space. */
function literalEnd(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code <= 0x20 || code === 0x2c || code === 0x5d || code === 0x7d) break;
  }
  return at;
}
