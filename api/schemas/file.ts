import * as z from "zod";
import { timestamp } from "./text.ts";

const FILE = {
  id: "file_3Zu8bWq1TnYx0PmKcVdR",
  object: "file",
  filename: "call-4711.mp3",
  bytes: 976_128,
  content_type: "audio/mpeg",
  created_at: "2026-11-21T10:58:31.123Z",
};

/** Section 2.3. */
export const file = z
  .strictObject({
    id: z.string(),
    object: z.literal("file"),
    filename: z.string().meta({ description: "Without a path and without control characters." }),
    bytes: z.int().min(0),
    content_type: z.string(),
    created_at: timestamp,
  })
  .meta({ id: "File", examples: [FILE] });

/** What `GET` adds. */
export const storedFile = file
  .extend({ expires_at: timestamp.nullable().meta({ description: "Nothing is deleted when it passes." }) })
  .meta({ id: "StoredFile", examples: [{ ...FILE, expires_at: null }] });

/** The form of an upload; the handler streams it. */
export const uploadForm = z
  .strictObject({
    file: z.file().meta({
      description: "The audio: wav, mp3, flac, mpga, oga, ogg, m4a or mp4, at most 2 GB. Its bytes say what it is.",
    }),
  })
  .meta({ id: "FileUpload" });
