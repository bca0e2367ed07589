import * as z from "zod";
import { ApiError } from "./api-error.ts";
import { ERRORS, type ErrorCode } from "./table.ts";

/** Spanish texts without zod's global locale setting: libraries of ours must not change each other's. */
const spanish = z.locales.es().localeError;

/** Parses, or throws the one ApiError that the first problem gives. `param` is dotted from the body's root. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: spanish, reportInput: true });
  if (parsed.success) return parsed.data;
  throw validationError(parsed.error.issues);
}

/**
 * A schema that wants another code than `invalid_parameter` gives that code as its error text
 * (`z.literal("customer", { error: "sentiment_scope_not_permitted" })`); nothing else needs to know.
 */
export function validationError(issues: readonly z.core.$ZodIssue[]): ApiError {
  const issue = innermost(issues);
  if (issue === undefined) return new ApiError("invalid_parameter");
  const unknownKey = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey];
  const param = path.length > 0 ? path.map(String).join(".") : null;
  if (isCode(issue.message)) return new ApiError(issue.message, { param });
  if (ABSENT.has(issue.code) && issue.input === undefined) {
    return new ApiError("missing_parameter", { param, message: `Falta el parámetro obligatorio «${param}».` });
  }
  const where = param === null ? "El cuerpo de la petición no es válido" : `El parámetro «${param}» no es válido`;
  return new ApiError("invalid_parameter", { param, message: `${where}: ${lowerFirst(issue.message)}.` });
}

/** What zod says of a required field that is not there: of a type, a union, and an enum. */
const ABSENT = new Set(["invalid_type", "invalid_union", "invalid_value"]);

/** Of a union, the branch that got past the value's type says what is really wrong. */
function innermost(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const issue = issues[0];
  if (issue?.code !== "invalid_union") return issue;
  const branch = issue.errors.find((errors) => !(errors[0]?.code === "invalid_type" && errors[0].path.length === 0));
  const inner = branch && innermost(branch);
  if (!inner) return { ...issue, message: "el tipo del valor no se admite" };
  return { ...inner, path: [...issue.path, ...inner.path] };
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

function lowerFirst(text: string): string {
  return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, "");
}
