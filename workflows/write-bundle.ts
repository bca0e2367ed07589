/**
 * `node workflows/write-bundle.ts FILE`: the workflow code as ESCRIBA_WORKFLOW_BUNDLE names it, for an image, so that
 * its workers start without building it and without the bundler in their memory.
 */
import { writeFile } from "node:fs/promises";
import { createLog } from "../process/log.ts";
import { workflowBundle } from "./bundle.ts";

const [path] = process.argv.slice(2);
if (!path) throw new Error("usage: node workflows/write-bundle.ts FILE");
const bundle = await workflowBundle(null, createLog("bundle", "warn"));
if (!("code" in bundle)) throw new Error("the bundler answered no code");
await writeFile(path, bundle.code);
