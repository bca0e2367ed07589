import anyTest, { type TestFn } from "ava";
import { API_KEY_FORM, createApiKey, findApiKey, revokeApiKey, SCOPES } from "../../storage/api-keys.ts";
import { randomBase62 } from "../../storage/ids.ts";
import { createOrganization, findOrganization, OrganizationExists, putMember } from "../../storage/organizations.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

test("a key is shown once, stored as a hash, and found by its plaintext", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db);
  const { key, plaintext } = await createApiKey(db, { organizationId: organization.id, ipAllowlist: ["10.0.0.0/8"] });
  t.regex(plaintext, API_KEY_FORM);
  t.is(key.prefix, plaintext.slice(0, 12));
  t.deepEqual(await findApiKey(db, plaintext), key);
  t.like(key, {
    organizationSlug: organization.slug,
    requestsPerMinute: 300,
    revokedAt: null,
    ipAllowlist: ["10.0.0.0/8"],
  });
  t.deepEqual(key.scopes, [...SCOPES]);
  t.is(await findApiKey(db, `${plaintext.slice(0, -1)}_`), null);
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT bool_or(to_jsonb(k)::text LIKE ${`%${plaintext.slice(12)}%`}) AS found FROM api_keys k`;
  t.false(row?.found);
});

test("a revoked key is still found, with the time it was first revoked", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db);
  const { key, plaintext } = await createApiKey(db, { organizationId, scopes: ["usage:read"] });
  const at = await revokeApiKey(db, key.id);
  t.true(at instanceof Date);
  t.deepEqual(await revokeApiKey(db, key.id), at);
  t.deepEqual((await findApiKey(db, plaintext))?.revokedAt, at);
  t.is(await revokeApiKey(db, organizationId), null);
});

test("an organization is found by slug or id, and its slug is its own", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db);
  t.deepEqual(await findOrganization(db, organization.slug), organization);
  t.deepEqual(await findOrganization(db, organization.id), organization);
  t.is(await findOrganization(db, "nobody"), null);
  await t.throwsAsync(() => createOrganization(db, { slug: organization.slug }), { instanceOf: OrganizationExists });
});

test("a member is one address, whatever its case", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db);
  await putMember(db, { organizationId, email: "Ana@Example.com", role: "owner" });
  await putMember(db, { organizationId, email: "ana@example.com", role: "billing" });
  const members = await db.member.findMany({ where: { organizationId } });
  t.deepEqual(
    members.map(({ email, role }) => [email, role]),
    [["ana@example.com", "billing"]],
  );
});

test("random characters are drawn evenly from all 62", (t) => {
  const counts = new Map<string, number>();
  for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  t.is(counts.size, 62);
  // 1,000 each on average; a byte taken modulo 62 without rejection would favour eight of them by a quarter.
  t.true([...counts.values()].every((count) => count > 800 && count < 1_200));
});
