import { randomBytes } from "node:crypto";
import test from "ava";
import { run } from "../../cli/admin/secrets-rotate.ts";
import { SettingsError } from "../../process/settings.ts";
import { createSecretBox } from "../../webhooks/secrets.ts";
import { KEY, newEndpoint } from "../support/events.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres } from "../support/postgres.ts";

test("secrets move to the first key; what no key opens is named and the exit code says so", async (t) => {
  const postgres = await startTestPostgres();
  t.teardown(() => postgres.stop());
  const { db, url } = postgres;
  const call = async (keys: Buffer[], ...args: string[]) => {
    const [out, errors]: [string[], string[]] = [[], []];
    const ESCRIBA_SECRETS_KEY = keys.map((key) => key.toString("base64")).join(",");
    const io = {
      env: { ESCRIBA_DATABASE_URL: url, ESCRIBA_SECRETS_KEY },
      out: (text: string) => out.push(text),
      error: (text: string) => errors.push(text),
    };
    return { code: await run(args, io), out: out.join("\n"), error: errors.join("\n") };
  };
  const { id: organizationId } = await newOrganization(db);
  const { id, secret } = await newEndpoint(db, organizationId);
  const fresh = randomBytes(32);
  const wrong = await call([fresh]);
  t.is(wrong.code, 1);
  t.regex(wrong.error, new RegExp(`no key of ESCRIBA_SECRETS_KEY opens those of ${id}$`));
  t.deepEqual(await call([fresh, KEY], "--json"), { code: 0, out: '{"rotated":1}', error: "" });
  t.deepEqual(await call([fresh, KEY], "--json"), { code: 0, out: '{"rotated":0}', error: "" });
  const row = await db.webhook.findUniqueOrThrow({ where: { id } });
  t.is(createSecretBox([fresh]).open(row.secret, id), secret);
  await t.throwsAsync(call([]), { instanceOf: SettingsError, message: /ESCRIBA_SECRETS_KEY/ });
});
