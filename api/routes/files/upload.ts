import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { type Probe, probeAudio, UnsupportedAudio } from "../../../speech/probe.ts";
import { createFile } from "../../../storage/files.ts";
import { newFileId } from "../../../storage/ids.ts";
import { keys } from "../../../storage/keys.ts";
import type { Retention } from "../../../storage/organizations.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentFile } from "../../presenters/file.ts";
import { type Call, route } from "../../route.ts";
import { file, uploadForm } from "../../schemas/file.ts";
import type { Services } from "../../services.ts";
import { type Received, receiveFile } from "../../upload/receive.ts";
import { scratchPath } from "../../upload/scratch.ts";

export const uploadFile = route({
  operation: "uploadFile",
  method: "POST",
  path: "/v1/files",
  summary: "Uploads audio: wav, mp3, flac, mpga, oga, ogg, m4a or mp4, at most 2 GB.",
  access: "files:write",
  request: { multipart: uploadForm, idempotencyKey: "refused" },
  success: { status: 201, description: "The file", body: file },
  errors: ["missing_parameter", "unsupported_audio_format"],
  async handle(call, services) {
    const id = newFileId();
    const scratch = scratchPath(services.settings.ESCRIBA_SCRATCH_DIR, id);
    try {
      const received = await receiveFile(call.incoming, call.outgoing, {
        path: scratch,
        maxBytes: services.settings.ESCRIBA_MAX_FILE_BYTES,
        idleMs: services.settings.ESCRIBA_UPLOAD_IDLE_SECONDS * 1000,
      });
      const probe = await services.probes.use(() => look(scratch, call.signal));
      return { status: 201, body: presentFile(await keep(call, services, { id, scratch, received, probe })) };
    } finally {
      await rm(scratch, { force: true });
    }
  },
});

async function look(path: string, signal: AbortSignal): Promise<Probe> {
  try {
    return await probeAudio(path, { signal });
  } catch (error) {
    if (error instanceof UnsupportedAudio) throw new ApiError("unsupported_audio_format", { param: "file" });
    throw error;
  }
}

/** Object first, row second: whatever fails in between leaves no row without its audio, and here no audio either. */
async function keep(
  { key, signal }: Call,
  { database, objects, uploadedBytes }: Services,
  { id, scratch, received, probe }: { id: string; scratch: string; received: Received; probe: Probe },
) {
  const objectKey = keys.upload(key.organizationId, id);
  const { bytes } = await objects.put(objectKey, createReadStream(scratch), { signal });
  try {
    const row = await createFile(database, {
      id,
      organizationId: key.organizationId,
      filename: received.filename,
      bytes,
      contentType: contentType(received.declaredType, probe),
      format: probe.format,
      durationMs: probe.durationMs,
      channels: probe.channels,
      objectKey,
      expiresAt: expiry(key.defaultRetention),
    });
    uploadedBytes.inc(bytes);
    return row;
  } catch (error) {
    await objects.delete(objectKey).catch(() => undefined);
    throw error;
  }
}

/** The client's own word where it says audio or video, else what the bytes are. */
function contentType(declared: string, probe: Probe): string {
  return /^(audio|video)\/[a-z0-9][a-z0-9.+-]{0,63}$/.test(declared) ? declared : probe.contentType;
}

const RETENTION_MS: Record<Retention, number | null> = {
  none: null,
  "24h": 24 * 3_600_000,
  "7d": 7 * 24 * 3_600_000,
  "30d": 30 * 24 * 3_600_000,
};

/** Written and shown; nothing is deleted when it passes (section 2.3). */
function expiry(retention: Retention): Date | null {
  const ms = RETENTION_MS[retention];
  return ms === null ? null : new Date(Date.now() + ms);
}
