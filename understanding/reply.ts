import { jsonrepair } from "jsonrepair";

/** A model's answer as an object, and what of it can be trusted to be whole. */
export interface Reply {
  fields: Record<string, unknown>;
  /** Name of the field in which the answer was cut off; null when it came to its end. */
  cut: string | null;
}

/** Longer than any answer that was asked for: not worth the repair. */
const LONGEST = 256 * 1024;

/**
 * The JSON object in an answer, whatever stands around it (thoughts, code fences, courtesies), repaired where it is
 * broken. Null when there is none.
 */
export function readReply(text: string, finish: "stop" | "length"): Reply | null {
  const spoken = text.replace(/^[\s\S]*<\/think>/u, "");
  const start = spoken.indexOf("{");
  if (start < 0 || spoken.length - start > LONGEST) return null;
  const body = spoken.slice(start);
  const whole = objectIn(body);
  if (whole) return { fields: whole, cut: null };
  const repaired = repair(body);
  if (!repaired) return null;
  const cut = finish === "length" || !/\}\s*(?:```\s*)?$/u.test(body);
  return { fields: repaired, cut: cut ? (Object.keys(repaired).at(-1) ?? null) : null };
}

/** Up to each closing brace from the last: an answer may be followed by words. */
function objectIn(body: string): Record<string, unknown> | null {
  let end = body.lastIndexOf("}");
  for (let tries = 0; end > 0 && tries < 4; tries += 1) {
    const value = parsed(body.slice(0, end + 1));
    if (value) return value;
    end = body.lastIndexOf("}", end - 1);
  }
  return null;
}

function repair(body: string): Record<string, unknown> | null {
  try {
    return parsed(jsonrepair(body));
  } catch {
    return null;
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
