#!/usr/bin/env node
// The `escriba` command. The sources are TypeScript that Node 24 runs directly; under an older Node this file hands
// over to the Node 24 that `npm ci` put into node_modules, so it is plain JavaScript that Node 20 understands.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("escriba.ts", import.meta.url));

if (Number(process.versions.node.split(".")[0]) >= 24) {
  await import("./escriba.ts");
} else {
  const node = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));
  if (!existsSync(node)) {
    console.error(
      `escriba needs Node 24 and this is ${process.version}. Run \`npm ci\` in its directory, which brings Node 24 along, or call it with a newer Node.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [command, ...process.argv.slice(2)], { stdio: "inherit" });
  // A signal to this process is meant for the command; it decides when to end.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
