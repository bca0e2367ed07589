import * as z from "zod";
import { timestamp } from "./text.ts";

/** Section 2.3. */
export const file = z
  .strictObject({
    id: z.string(),
    object: z.literal("file"),
    filename: z.string(),
    bytes: z.int().min(0),
    content_type: z.string(),
    created_at: timestamp,
  })
  .meta({ id: "File" });

/** What `GET` adds. Nothing is deleted when it passes (section 2.3). */
export const storedFile = file.extend({ expires_at: timestamp.nullable() }).meta({ id: "StoredFile" });
