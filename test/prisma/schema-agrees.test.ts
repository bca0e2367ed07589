import anyTest, { type TestFn } from "ava";
import pg from "pg";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { readCatalog } from "./catalog.ts";
import { readDatamodel } from "./datamodel.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

test.serial("schema.prisma and the migrated database have the same tables", async (t) => {
  const [wanted, found] = [await readDatamodel(), await readCatalog(t.context.url)];
  t.true(found.columns.length > 100);
  t.deepEqual(found.columns, wanted.columns);
  t.deepEqual(found.indexes, wanted.indexes);
  t.deepEqual(found.foreignKeys, wanted.foreignKeys);
});

test.serial("a column, an index and a foreign key that only the database has are seen", async (t) => {
  const client = new pg.Client({ connectionString: t.context.url });
  await client.connect();
  await client.query("CREATE TABLE stray (id bigserial PRIMARY KEY, file text REFERENCES files (id))");
  await client.query("CREATE INDEX stray_file_idx ON stray (file)");
  await client.query("ALTER TABLE members ALTER COLUMN role DROP NOT NULL");
  await client.end();
  const [wanted, found] = [await readDatamodel(), await readCatalog(t.context.url)];
  const extra = (have: string[], want: string[]) => have.filter((line) => !want.includes(line));
  t.deepEqual(extra(found.columns, wanted.columns), [
    "members.role text",
    "stray.file text",
    "stray.id bigint not null default autoincrement",
  ]);
  t.deepEqual(extra(found.indexes, wanted.indexes), ["stray id (id)", "stray normal (file)"]);
  t.deepEqual(extra(found.foreignKeys, wanted.foreignKeys), [
    "stray (file) -> files (id) on delete NoAction on update NoAction",
  ]);
});
