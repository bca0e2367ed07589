// A configuration of its own: `npm test` runs none of this.
export default {
  files: ["test/node/*.test.ts"],
  extensions: { ts: "module" },
  workerThreads: false,
  concurrency: 1,
  timeout: "15m",
};
