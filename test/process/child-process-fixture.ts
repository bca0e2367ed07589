import { serveCalls } from "../../process/child-process.ts";

/** A child that does what a test asks of it: count, fail, die, hang, or say what it is. */
serveCalls<{ task: string; to?: number }, number, unknown>(async ({ task, to = 0 }, progress, signal) => {
  if (task === "count") {
    for (let n = 1; n <= to; n++) progress(n);
    return to;
  }
  if (task === "describe") return { pid: process.pid, variables: Object.keys(process.env).sort() };
  if (task === "fail") throw Object.assign(new Error("no such thing"), { name: "NoSuchThing" });
  if (task === "die") {
    process.stderr.write("about to die\n", () => process.kill(process.pid, "SIGKILL"));
  }
  if (task === "wait") {
    progress(0);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return "stopped";
  }
  return new Promise(() => undefined);
});
