import type pg from "pg";
import { type Finding, failed, ok, warning } from "./check.ts";

/** Left for people, backups and monitoring. */
const SPARE = 5;

/**
 * What the server lets this role open, held against what all processes may open together (`wanted`; 0: not said). Behind
 * a pooler the limit is the pooler's, which cannot be asked here: then `wanted` is what the pooler itself opens.
 */
export async function connectionBudget(client: pg.Client, wanted: number): Promise<Finding> {
  const { rows } = await client.query<{ most: number; used: number; own: number; role: number; database: number }>(
    `SELECT current_setting('max_connections')::integer
         - current_setting('superuser_reserved_connections')::integer
         - coalesce(current_setting('reserved_connections', true), '0')::integer AS most,
       (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       (SELECT count(*)::integer FROM pg_stat_activity WHERE application_name LIKE 'escriba%') AS own,
       (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role,
       (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database`,
  );
  const { most = 0, used = 0, own = 0, role = -1, database = -1 } = rows[0] ?? {};
  const limits = [most - (used - own), ...[role, database].filter((limit) => limit >= 0)];
  const available = Math.min(...limits);
  const numbers = { available, used, own, wanted };
  const said = `${used} of ${most} connections are open, ${own} of them ours`;
  if (wanted === 0) return ok(`${said}; say --connections N to hold a budget against it`, numbers);
  const needs = `all processes together open up to ${wanted}, and ${available} are theirs to have`;
  if (wanted > available)
    return failed(
      needs,
      [
        "raise max_connections (or the role's and the database's limit), lower ESCRIBA_DATABASE_POOL, or put PgBouncer between",
      ],
      numbers,
    );
  if (wanted > available - SPARE)
    return warning(needs, ["leave some for backups and people: raise max_connections"], numbers);
  return ok(`${said}; ${needs}`, numbers);
}
