import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Package, SourceFile } from "../../models/catalogue.ts";

const run = promisify(execFile);

/** A wheel as pip reads it, made by Python's own zipfile. Members may have any name, `../` too. */
export async function writeWheel(directory: string, name: string, members: Record<string, string>): Promise<string> {
  await mkdir(directory, { recursive: true });
  const module = name.replaceAll("-", "_");
  const info = `${module}-1.0.0.dist-info`;
  const all = {
    ...members,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0.0\n`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/RECORD`]: "",
  };
  const path = join(directory, `${module}-1.0.0-py3-none-any.whl`);
  const script =
    "import json,sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n for k,v in json.loads(sys.argv[2]).items(): z.writestr(k,v)";
  await run("python3", ["-c", script, path, JSON.stringify(all)]);
  return path;
}

/** A package directory that `npm pack` can pack; answers the version to ask for. */
export async function writeNpmPackage(
  directory: string,
  name: string,
  members: Record<string, string>,
): Promise<string> {
  for (const [path, text] of Object.entries({
    ...members,
    "package.json": JSON.stringify({ name, version: "1.0.0" }),
  })) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return `file:${directory}`;
}

export function pinned(path: string, text: string, as = path): Package["files"][number] {
  return { ...hubFile(path, Buffer.from(text), as), sha256: createHash("sha256").update(text).digest("hex") };
}

export function hubFile(path: string, bytes: Buffer, as = path): SourceFile {
  return { path, as, bytes: bytes.length };
}
