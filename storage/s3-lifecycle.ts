import { GetBucketLifecycleConfigurationCommand, type LifecycleRule } from "@aws-sdk/client-s3";
import { createS3Client, type S3Settings } from "./s3-store.ts";

/**
 * Whether the bucket removes parts of uploads that broke off (a process that was killed leaves them, nobody lists them,
 * and they are paid for). Null when this process may not ask, or the store knows no such rules.
 */
export async function removesBrokenUploads(settings: S3Settings): Promise<boolean | null> {
  const client = createS3Client(settings);
  try {
    const { Rules = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: settings.bucket }));
    return Rules.some((rule) => applies(rule, settings.prefix));
  } catch (error) {
    return (error as Error).name === "NoSuchLifecycleConfiguration" ? false : null;
  } finally {
    client.destroy();
  }
}

/** A rule for a longer prefix than ours leaves some out; one that asks for tags too leaves all out: parts have none. */
function applies(
  { Status, AbortIncompleteMultipartUpload: abort, Filter, Prefix }: LifecycleRule,
  ours: string,
): boolean {
  if (Status !== "Enabled" || !abort?.DaysAfterInitiation || Filter?.Tag || Filter?.And) return false;
  return ours.startsWith(Filter?.Prefix ?? Prefix ?? "");
}
