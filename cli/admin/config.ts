import * as z from "zod";
import { shared } from "../../process/settings.ts";

export const adminSettings = z.object({ ESCRIBA_DATABASE_URL: shared.ESCRIBA_DATABASE_URL });

/** What an administrator's command touches besides the database. */
export interface AdminIo {
  env: Record<string, string | undefined>;
  /** Result, one call a line or block. */
  out(text: string): void;
  /** What went wrong. */
  error(text: string): void;
}

export const terminal: AdminIo = { env: process.env, out: console.log, error: console.error };
