import anyTest, { type TestFn } from "ava";
import * as creditAdd from "../../cli/admin/credit-add.ts";
import * as keyCreate from "../../cli/admin/key-create.ts";
import * as keyRevoke from "../../cli/admin/key-revoke.ts";
import * as migrate from "../../cli/admin/migrate.ts";
import * as orgCreate from "../../cli/admin/org-create.ts";
import { UsageError } from "../../cli/command.ts";
import { SettingsError } from "../../process/settings.ts";
import { findApiKey, SCOPES } from "../../storage/api-keys.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres({ migrated: false });
});
test.after.always((t) => t.context.stop?.());

type Run = (args: string[], io: Parameters<typeof migrate.run>[1]) => Promise<number>;

async function call(url: string, run: Run, ...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  const io = {
    env: { ESCRIBA_DATABASE_URL: url },
    out: (text: string) => out.push(text),
    error: (text: string) => errors.push(text),
  };
  const code = await run(args, io);
  return {
    code,
    out: out.join("\n"),
    error: errors.join("\n"),
    json: args.includes("--json") ? JSON.parse(out.join("")) : null,
  };
}

test.serial("before the migration every command says what to run", async (t) => {
  const { url } = t.context;
  const answer = await call(url, orgCreate.run, "early");
  t.is(answer.code, 1);
  t.is(answer.error, "the database has no tables of escriba yet: run `escriba migrate` first");
  t.is((await call(url, creditAdd.run, "early", "1")).error, answer.error);
});

test.serial("migrate, organization, credit, key, revoke", async (t) => {
  const { url, db } = t.context;
  const migrated = await call(url, migrate.run, "--json");
  t.is(migrated.code, 0);
  t.true(migrated.json.applied.length > 3);
  t.is((await call(url, migrate.run)).out, "Nothing to apply.");

  const organization = await call(
    url,
    orgCreate.run,
    "acme",
    "--retention",
    "7d",
    "--credit-low",
    "5",
    "--owner",
    "Ana@acme.es",
    "--json",
  );
  t.like(organization.json, { slug: "acme", default_retention: "7d" });
  t.is((await db.organization.findUnique({ where: { slug: "acme" } }))?.creditLowThresholdEur?.toFixed(2), "5.00");
  t.is((await db.member.findFirst())?.email, "ana@acme.es");
  const twice = await call(url, orgCreate.run, "acme");
  t.deepEqual([twice.code, twice.error], [1, "there is an organization named acme already"]);

  const credit = await call(url, creditAdd.run, "acme", "12.50", "--reference", "invoice 7", "--json");
  t.like(credit.json, { outcome: "added", balance_eur: 12.5 });
  t.like((await call(url, creditAdd.run, organization.json.id, "12.50", "--reference", "invoice 7", "--json")).json, {
    ...{ outcome: "repeated", balance_eur: 12.5 },
  });
  const reused = await call(url, creditAdd.run, "acme", "13", "--reference", "invoice 7");
  t.deepEqual([reused.code, reused.error], [1, 'the reference "invoice 7" was used for another amount']);

  const key = await call(url, keyCreate.run, "acme", "--scope", "usage:read", "--ip", "10.0.0.0/8", "--json");
  t.regex(key.json.api_key, /^sk_live_[0-9A-Za-z]{32}$/);
  t.like(await findApiKey(db, key.json.api_key), {
    id: key.json.id,
    scopes: ["usage:read"],
    ipAllowlist: ["10.0.0.0/8"],
  });
  const all = await call(url, keyCreate.run, "acme", "--name", "ci");
  const plaintext = all.out.split("\n")[0] ?? "";
  t.deepEqual((await findApiKey(db, plaintext))?.scopes, [...SCOPES]);

  t.is((await call(url, keyRevoke.run, key.json.id, "--json")).json.id, key.json.id);
  t.is((await call(url, keyRevoke.run, plaintext)).code, 0);
  t.true((await findApiKey(db, plaintext))?.revokedAt instanceof Date);
});

test.serial("what does not exist is named", async (t) => {
  const { url } = t.context;
  t.is((await call(url, keyCreate.run, "nobody")).error, 'there is no organization "nobody"');
  t.is((await call(url, creditAdd.run, "nobody", "1")).error, 'there is no organization "nobody"');
  t.is((await call(url, keyRevoke.run, "00000000-0000-0000-0000-000000000000")).error, "there is no such key");
});

test.serial("wrong arguments are usage errors", async (t) => {
  const { url } = t.context;
  for (const [run, args, message] of [
    [orgCreate.run, [], /SLUG expected, 0 given/],
    [orgCreate.run, ["a", "b"], /SLUG expected, 2 given/],
    [orgCreate.run, ["Ácme"], /lower case/],
    [orgCreate.run, ["acme2", "--retention", "1y"], /none, 24h, 7d, 30d/],
    [orgCreate.run, ["acme2", "--credit-low=-1"], /--credit-low/],
    [orgCreate.run, ["acme2", "--owner", "nobody"], /e-mail/],
    [keyCreate.run, ["acme", "--scope", "everything"], /transcripts:write/],
    [keyCreate.run, ["acme", "--ip", "10.0.0"], /203\.0\.113\.0\/24/],
    [keyRevoke.run, ["sk_live_short"], /id that/],
    [creditAdd.run, ["acme", "1,5"], /AMOUNT/],
    [creditAdd.run, ["acme", "0"], /AMOUNT/],
    [creditAdd.run, ["acme", "1", "--reference", ""], /--reference/],
    [migrate.run, ["now"], /no arguments expected/],
  ] as [Run, string[], RegExp][]) {
    await t.throwsAsync(() => call(url, run, ...args), { instanceOf: UsageError, message }, args.join(" "));
  }
  await t.throwsAsync(() => call(url, orgCreate.run, "acme3", "--colour", "red"), {
    code: "ERR_PARSE_ARGS_UNKNOWN_OPTION",
  });
});

test.serial("no setting, and no database behind it, are said plainly", async (t) => {
  await t.throwsAsync(() => call("", migrate.run), { instanceOf: SettingsError, message: /ESCRIBA_DATABASE_URL/ });
  for (const [run, ...args] of [[migrate.run], [orgCreate.run, "x"]] as [Run, ...string[]][]) {
    const answer = await call("postgresql://nobody:x@127.0.0.1:1/none", run, ...args);
    t.deepEqual([answer.code, answer.error], [1, "the database of ESCRIBA_DATABASE_URL does not answer"]);
  }
});
