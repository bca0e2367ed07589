import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { pythonPrograms } from "../../eval/python-programs.ts";
import { type Service, startService } from "./service.ts";

const run = promisify(execFile);
const root = new URL("../../", import.meta.url);
const page = await readFile(new URL("docs/openai-sdk.md", root), "utf8");
const programs = [...page.matchAll(/^```(python|js)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

let service: Service;
let python: string;
test.before(async () => {
  service = await startService("Cambiar de operador sin cambiar de número.");
  python = join(await pythonPrograms(new URL("python/clients.txt", import.meta.url)), "python");
});
test.after.always(() => service?.stop());

test("the page has a program for each client and language", (t) => {
  t.deepEqual(
    programs.map(({ language, text }) => `${language} ${/langchain/.test(text) ? "langchain" : "openai"}`),
    ["python openai", "js openai", "python langchain", "js langchain"],
  );
});

for (const [index, { language, text }] of programs.entries()) {
  test.serial(`program ${index + 1} (${language}) runs as printed`, async (t) => {
    const { key } = await service.harness.tenant();
    const env = { ...process.env, OPENAI_BASE_URL: service.baseUrl, OPENAI_API_KEY: key, PYTHONIOENCODING: "utf-8" };
    const { stdout } =
      language === "python"
        ? await run(python, ["-c", text], { env })
        : await run(process.execPath, ["--input-type=module", "-e", text], { env, cwd: root });
    t.regex(stdout, /Cambiar de operador sin cambiar de número\./);
    t.regex(stdout, /\b768\b/);
    if (!text.includes("langchain")) t.regex(stdout, /400 '?invalid_parameter'? '?input'?/);
  });
}
