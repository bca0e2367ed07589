import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { ObjectNotFound, type ObjectStore } from "./object-store.ts";

/** S3's least part is 5 MB and its most parts 10,000: 8 MB parts reach 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;

export interface S3Settings {
  bucket: string;
  /** Put before every key, with its trailing slash, or empty. */
  prefix: string;
  /** Absent for AWS itself. */
  endpoint?: string | undefined;
  region: string;
  /** Whether the bucket is in the path, not the host name; absent: where there is an endpoint. */
  pathStyle?: boolean | undefined;
  /** Absent: the SDK's own chain (environment, file, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** A client as the store uses it. */
export function createS3Client(settings: S3Settings): S3Client {
  return new S3Client({
    region: settings.region,
    // Stores other than AWS rarely serve a bucket as a host name.
    ...(settings.endpoint ? { endpoint: settings.endpoint } : {}),
    forcePathStyle: settings.pathStyle ?? settings.endpoint !== undefined,
    ...(settings.credentials ? { credentials: settings.credentials } : {}),
    // Checksums the SDK adds by default since 3.729 are refused by many compatible stores.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

/**
 * Any S3-compatible store. A streamed body is sent in parts, two at a time, so memory stays at three parts whatever its
 * length; an upload that fails is aborted, and nothing appears under its key. Parts of a process that was killed are the
 * bucket's to remove: give it a lifecycle rule AbortIncompleteMultipartUpload.
 */
export function createS3Store(settings: S3Settings): ObjectStore {
  const { bucket: Bucket, prefix } = settings;
  const client = createS3Client(settings);
  const full = (key: string) => {
    if (key === "" || key.startsWith("/") || key.includes("\0") || /(^|\/)\.{1,2}(\/|$)/.test(key)) {
      throw new RangeError(`not an object key: ${JSON.stringify(key)}`);
    }
    return prefix + key;
  };

  async function* list(keyPrefix: string): AsyncIterable<string> {
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket,
          Prefix: prefix + keyPrefix,
          ...(ContinuationToken ? { ContinuationToken } : {}),
        }),
      );
      for (const { Key } of page.Contents ?? []) if (Key) yield Key.slice(prefix.length);
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken);
  }

  async function deleteAll(names: string[]): Promise<void> {
    if (names.length === 0) return;
    const answer = await client.send(
      new DeleteObjectsCommand({
        Bucket,
        Delete: { Objects: names.map((name) => ({ Key: prefix + name })), Quiet: true },
      }),
    );
    const failed = (answer.Errors ?? []).filter((error) => error.Code !== "NoSuchKey");
    if (failed.length) throw new Error(`${failed.length} objects were not deleted, first: ${failed[0]?.Message}`);
  }

  return {
    async put(key, body, options = {}) {
      // A stream may fail before it is read: reading it tells, but until then an error without a listener is uncaught.
      if (body instanceof Readable) body.on("error", () => undefined);
      if (options.signal?.aborted && body instanceof Readable) body.destroy();
      options.signal?.throwIfAborted();
      const Key = full(key);
      if (typeof body === "string" || body instanceof Uint8Array) {
        const Body = Buffer.from(body);
        await client.send(new PutObjectCommand({ Bucket, Key, Body }), withSignal(options.signal));
        return { bytes: Body.length };
      }
      let bytes = 0;
      const Body = Readable.from(
        (async function* counted() {
          for await (const chunk of body) {
            const data: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
            bytes += data.length;
            yield data;
          }
        })(),
        { objectMode: false },
      );
      const upload = new Upload({ client, params: { Bucket, Key, Body }, partSize: PART_BYTES, queueSize: 2 });
      const abort = () => {
        body.destroy(options.signal?.reason instanceof Error ? options.signal.reason : new Error("aborted"));
        // `done` rejects and tells; this promise only says when the abort has reached the store.
        upload.abort().catch(() => undefined);
      };
      options.signal?.addEventListener("abort", abort, { once: true });
      try {
        await upload.done();
      } catch (error) {
        await upload.abort().catch(() => undefined);
        throw options.signal?.aborted ? options.signal.reason : error;
      } finally {
        options.signal?.removeEventListener("abort", abort);
      }
      return { bytes };
    },

    async get(key, { range, signal } = {}) {
      if (range && range.end <= range.start) {
        if (!(await this.head(key))) throw new ObjectNotFound(key);
        return Readable.from([]);
      }
      const Range = range && `bytes=${range.start}-${range.end - 1}`;
      try {
        const answer = await client.send(
          new GetObjectCommand({ Bucket, Key: full(key), ...(Range ? { Range } : {}) }),
          withSignal(signal),
        );
        const body = answer.Body as Readable;
        if (signal) {
          const stop = () => body.destroy(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
          signal.addEventListener("abort", stop, { once: true });
          body.once("close", () => signal.removeEventListener("abort", stop));
        }
        return body;
      } catch (error) {
        if (isMissing(error)) throw new ObjectNotFound(key);
        // A range that starts past the end reads as nothing, as a file does.
        if ((error as { name?: string }).name === "InvalidRange") return Readable.from([]);
        throw error;
      }
    },

    async head(key) {
      try {
        const answer = await client.send(new HeadObjectCommand({ Bucket, Key: full(key) }));
        return { bytes: answer.ContentLength ?? 0 };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    list,

    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: full(key) }));
    },

    async deletePrefix(keyPrefix) {
      if (keyPrefix === "") throw new RangeError("an empty prefix would delete the whole store");
      let names: string[] = [];
      for await (const name of list(keyPrefix)) {
        names.push(name);
        if (names.length === 1000) {
          await deleteAll(names);
          names = [];
        }
      }
      await deleteAll(names);
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket }));
    },
  };
}

const withSignal = (signal: AbortSignal | undefined) => (signal ? { abortSignal: signal } : {});

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === "NoSuchKey" || name === "NotFound" || $metadata?.httpStatusCode === 404;
}
