/** Where two JSON values differ. */
export interface Difference {
  /** E.g. `status.conditions[2].reason`. */
  path: string;
  /** Undefined where it is missing. */
  before: unknown;
  after: unknown;
}

/** Every place at which `after` is not what `before` was, in the order of their keys. */
export function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => differences(before[index], after[index], `${path}[${index}]`)).flat();
  }
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences(before[key], after[key], path ? `${path}.${key}` : key));
  }
  return Object.is(before, after) ? [] : [{ path, before, after }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
