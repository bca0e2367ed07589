/**
 * A connection whose statements are gathered and sent in one round trip, each in a transaction of its own, and which is
 * cut where the history says so. The statements are those of billing/: `database` stands where its functions take a
 * database, and keeps their SQL instead of sending it.
 */
import pg from "pg";
import type { Database } from "../../storage/database.ts";

/**
 * `once`; `again`: sent twice, as after a lost answer; `lost`: undone before it committed, then sent; `cut before`,
 * `cut after`: the server ends the connection before or after the commit, and another sends it again.
 */
export const FATES = ["once", "again", "lost", "cut before", "cut after"] as const;
export type Fate = (typeof FATES)[number];

interface Statement {
  text: string;
  fate: Fate;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

const CUT = "SELECT pg_terminate_backend(pg_backend_pid())";

export class Script {
  readonly database: Database;
  /** Values of the last statement taken. */
  values: unknown[] = [];
  #fate: Fate = "once";
  #statements: Statement[] = [];
  #client: pg.Client | null = null;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
    const take = (strings: TemplateStringsArray, ...values: unknown[]) => this.#take(strings, values);
    this.database = { $queryRaw: take, $executeRaw: take } as unknown as Database;
  }

  /** Whatever `step` asks of the database meets this fate. */
  under<T>(fate: Fate, step: (database: Database) => Promise<T>): Promise<T> {
    this.#fate = fate;
    try {
      // billing/ asks at once, before its first await.
      return step(this.database);
    } finally {
      this.#fate = "once";
    }
  }

  /** Sends what was gathered, in order. */
  async send(): Promise<void> {
    const statements = this.#statements.splice(0);
    while (statements.length > 0) {
      const cut = statements.findIndex(({ fate }) => fate.startsWith("cut"));
      const whole = statements.splice(0, cut < 0 ? statements.length : cut);
      await this.#whole(whole);
      const [next] = statements;
      if (!next) return;
      await this.#cut(next.fate === "cut before" ? `BEGIN; ${next.text}; ${CUT}` : `${once(next)}; ${CUT}`);
      next.fate = "once";
    }
  }

  async close(): Promise<void> {
    await this.#client?.end();
    this.#client = null;
  }

  #take(strings: TemplateStringsArray, values: unknown[]): Promise<unknown[]> {
    const text = strings.reduce((sql, part, at) => `${sql}${literal(values[at - 1])}${part}`);
    this.values = values;
    const fate = this.#fate;
    return new Promise((resolve, reject) => this.#statements.push({ text, fate, resolve, reject }));
  }

  async #whole(statements: Statement[]): Promise<void> {
    if (statements.length === 0) return;
    const client = await this.#connected();
    try {
      const text = statements.map((one) => attempts(one).join("; ")).join("; ");
      const results = (await client.query(text)) as unknown as pg.QueryResult[];
      let at = 0;
      for (const statement of statements) {
        at += 3 * attempts(statement).length;
        // BEGIN, the statement, COMMIT: the answer is that of the last attempt.
        statement.resolve(results[at - 2]?.rows ?? []);
      }
    } catch (error) {
      for (const { reject } of statements) reject(error);
      throw error;
    }
  }

  async #cut(text: string): Promise<void> {
    const client = await this.#connected();
    this.#client = null;
    const end = await client.query(text).then(
      () => new Error("the connection was not cut"),
      (error: { code?: string }) => error,
    );
    // 57P01: terminated by an administrator's command.
    if (!("code" in end) || end.code !== "57P01") throw end;
    await client.end().catch(() => undefined);
  }

  async #connected(): Promise<pg.Client> {
    if (!this.#client) {
      this.#client = new pg.Client({ connectionString: this.#url });
      // Said again by the query that was under way.
      this.#client.on("error", () => undefined);
      await this.#client.connect();
    }
    return this.#client;
  }
}

const once = ({ text }: Statement) => `BEGIN; ${text}; COMMIT`;

function attempts(statement: Statement): string[] {
  if (statement.fate === "again") return [once(statement), once(statement)];
  if (statement.fate === "lost") return [`BEGIN; ${statement.text}; ROLLBACK`, once(statement)];
  return [once(statement)];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(",")}]::text[]`;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return pg.escapeLiteral(String(value));
}
