import pg from "pg";
import type { Tables } from "./datamodel.ts";

/** The tables of a migrated database, from pg_catalog, in the words of datamodel.ts. */
export async function readCatalog(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const lines = async (sql: string) => (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line).sort();
  try {
    return {
      columns: await lines(`
        SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
          || CASE WHEN d.adbin IS NULL OR a.attndims > 0 THEN ''
                  WHEN pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%' THEN ' default autoincrement'
                  ELSE ' default ' || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(.*)''::\\w+$', '\\1') END AS line
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`),
      indexes: await lines(`
        SELECT c.relname || CASE WHEN i.indisprimary THEN ' id' WHEN i.indisunique THEN ' unique' ELSE ' normal' END
          || ' (' || (SELECT string_agg(a.attname, ',' ORDER BY k.at) FROM unnest(i.indkey) WITH ORDINALITY AS k (num, at)
                      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.num) || ')' AS line
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`),
      foreignKeys: await lines(
        `
        SELECT t.relname || ' (' || names(f.conrelid, f.conkey) || ') -> ' || r.relname || ' (' || names(f.confrelid, f.confkey)
          || ') on delete ' || CASE f.confdeltype WHEN 'r' THEN 'Restrict' WHEN 'c' THEN 'Cascade' WHEN 'a' THEN 'NoAction' ELSE f.confdeltype::text END
          || ' on update ' || CASE f.confupdtype WHEN 'a' THEN 'NoAction' ELSE f.confupdtype::text END AS line
        FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
        WHERE f.contype = 'f'`.replace(
          /names\(([^,]+), ([^)]+)\)/g,
          `(SELECT string_agg(a.attname, ',' ORDER BY k.at) FROM unnest($2) WITH ORDINALITY AS k (num, at)
          JOIN pg_attribute a ON a.attrelid = $1 AND a.attnum = k.num)`,
        ),
      ),
    };
  } finally {
    await client.end();
  }
}
