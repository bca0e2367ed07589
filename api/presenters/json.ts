/** JSON that is already text: a caller's metadata, 90,000 words. It is sent as it is, never parsed again. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes an object whose members may be RawJson; undefined members are left out, as JSON.stringify does. */
export function writeObject(members: Record<string, unknown>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    parts.push(`${JSON.stringify(name)}:${value instanceof RawJson ? value.text : JSON.stringify(value)}`);
  }
  return `{${parts.join(",")}}`;
}

export function writeArray(items: readonly string[]): RawJson {
  return new RawJson(`[${items.join(",")}]`);
}
