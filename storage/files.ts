/**
 * Uploaded recordings. The row is written after the object is whole in the store (`keys.upload`), and removed before
 * the object is: a crash in between leaves an object without a row, never a row without its object.
 */
import type { Database, Prisma } from "./database.ts";

export interface File {
  id: string;
  organizationId: string;
  filename: string;
  bytes: number;
  contentType: string;
  /** What the probe found; null when it could not read the file. */
  format: string | null;
  durationMs: number | null;
  channels: number | null;
  objectKey: string;
  createdAt: Date;
  expiresAt: Date | null;
}

export async function createFile(db: Database, file: Omit<File, "createdAt">): Promise<File> {
  return present(await db.file.create({ data: file }));
}

/** Null when absent or another organization's. */
export async function readFile(db: Database, organizationId: string, id: string): Promise<File | null> {
  const row = await db.file.findFirst({ where: { id, organizationId } });
  return row && present(row);
}

export type DeletedFile = { outcome: "deleted"; objectKey: string } | { outcome: "not_found" } | { outcome: "in_use" };

/**
 * `in_use`: a queued or processing transcript reads it. After `deleted` the caller removes the object;
 * the outbox row `file.delete` has it removed also when the caller dies or the store is away.
 */
export async function deleteFile(db: Database, organizationId: string, id: string): Promise<DeletedFile> {
  const [row] = await db.$queryRaw<{ answer: { outcome: DeletedFile["outcome"]; object_key: string } }[]>`
    SELECT delete_file(${organizationId}::uuid, ${id}) AS answer`;
  const answer = row?.answer ?? { outcome: "not_found", object_key: "" };
  return answer.outcome === "deleted"
    ? { outcome: "deleted", objectKey: answer.object_key }
    : { outcome: answer.outcome };
}

function present(row: Prisma.FileGetPayload<object>): File {
  return { ...row, bytes: Number(row.bytes), durationMs: row.durationMs === null ? null : Number(row.durationMs) };
}
