// Runs at `npm ci`, on any Node: writes the Prisma client into storage/generated.
// The schema engine is not needed to generate, and cannot be downloaded everywhere: an existing file stands in for it.
const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");

if (existsSync("prisma/schema.prisma")) {
  const result = spawnSync(process.execPath, [require.resolve("prisma/build/index.js"), "generate"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  });
  process.exitCode = result.status ?? 1;
}
