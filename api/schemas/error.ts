import * as z from "zod";
import { ERRORS, type ErrorCode } from "../errors/table.ts";

/** Section 7: the one form of every error, here with the codes that one answer may carry. */
export function errorBody(codes: readonly ErrorCode[]) {
  const types = [...new Set(codes.map((code) => ERRORS[code].type))];
  return z.strictObject({
    error: z.strictObject({
      type: z.enum(types),
      code: z.enum(codes).meta({ description: "What programs go by; never changes." }),
      message: z.string().min(1).meta({ description: "For people, in Spanish; may change." }),
      param: z
        .string()
        .nullable()
        .meta({ description: "The field, header or scope at fault, dots between its parts." }),
      doc_url: z.url().meta({ description: "Where the code is explained." }),
      request_id: z
        .string()
        .regex(/^req_[0-9a-f]{24}$/)
        .meta({ description: "Equals the header `Service-Request-Id`." }),
    }),
  });
}
