// A Prisma generator (JSON-RPC, a line a message) that writes the parsed schema to the file its output names.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  let result = null;
  if (method === "getManifest") {
    result = { manifest: { prettyName: "datamodel", defaultOutput: "datamodel.json" } };
  } else {
    writeFileSync(params.generator.output.value, JSON.stringify(params.dmmf.datamodel));
  }
  process.stderr.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
