import { jobsStep, type JobTables } from "@crosszone/jobs";
import { openDatabase, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { shares } from "./jobs.ts";

/** Opens a database with a table of jobs. PostgreSQL never analyzes or vacuums it. */
export function openJobDatabase(url: string): Promise<Database<JobTables>> {
  return openDatabase<JobTables>({
    url,
    schema: "bench",
    // Filling the table takes longer than a statement may.
    statementTimeoutMs: 0,
    migrations: {
      "0001_jobs": jobsStep((table) => table),
      "0002_unattended": {
        up: async (db, engine) => {
          if (engine === "postgres") await sql`alter table job set (autovacuum_enabled = false)`.execute(db);
        },
        down: async () => undefined,
      },
    },
  });
}

/** About 230 bytes a row. */
const record = JSON.stringify({ method: "message/send", note: "x".repeat(100) });
/** The most rows of a statement. */
const most = 100_000;

const padded = (engine: Database<JobTables>["engine"], digits: number, value: string): string =>
  engine === "sqlite" ? `printf('%0${digits}d', ${value})` : `lpad((${value})::text, ${digits}, '0')`;

/** Inserts jobs that come after all others. The values are expressions of `$n`, from 0. */
function createInsert({ db, engine }: Database<JobTables>) {
  let added = 0;
  const numbers = (count: number): string =>
    engine === "sqlite"
      ? `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers`
      : `select n::bigint from generate_series(0, ${count - 1}) as n`;
  return async (count: number, values: Readonly<Record<string, string>>): Promise<void> => {
    for (let done = 0; done < count; done += most) {
      const part = Math.min(most, count - done);
      const own = Object.entries(values).map(([name, value]) => [name, value.replaceAll("$n", `(n + ${done})`)]);
      // Ids rise with time, as those of the zones do. Jobs were stored a hundred a second, long ago.
      const columns: Record<string, string> = {
        id: `'01930000-0000-7000-8000-' || ${padded(engine, 12, `${added} + n`)}`,
        kind: "'bench'",
        attempt: "0",
        due_at: `1700000000000 + (${added} + n) / 10`,
        created_at: `1700000000000 + (${added} + n) / 10`,
        record: `'${record}'`,
        ...Object.fromEntries(own),
      };
      const [names, expressions] = [Object.keys(columns).join(", "), Object.values(columns).join(", ")];
      const statement = `insert into job (${names}) select ${expressions} from (${numbers(part)}) as numbers`;
      await sql.raw(statement).execute(db);
      added += part;
    }
  };
}

/** Fills the table of jobs. */
export function createJobTable(database: Database<JobTables>) {
  const { db, engine } = database;
  const insert = createInsert(database);
  /** Writes what a long fill has left: the database would do it during the measurement. */
  const flush = async (): Promise<void> =>
    void (await sql.raw(engine === "sqlite" ? "pragma wal_checkpoint(truncate)" : "checkpoint").execute(db));

  return {
    /** Fills each share up, until that number waits in all of them together. */
    fillTo: async (waiting: number): Promise<void> => {
      const { rows } = await sql<{ share: string; n: number }>`
        select share, count(*) as n from job where state = 0 group by share`.execute(db);
      const existing = new Map(rows.map(({ share, n }) => [share, n]));
      let filled = 0;
      for (const share of shares) {
        const missing = Math.max(0, Math.ceil(waiting / shares.length) - (existing.get(share) ?? 0));
        await insert(missing, { share: `'${share}'`, state: "0", input: "'{}'" });
        filled += missing;
      }
      if (filled >= most) await flush();
    },
    /** Adds jobs that have ended. */
    keep: async (ended: number): Promise<void> => {
      await insert(ended, {
        share: `'bench ' || ${padded(engine, 2, `$n % ${shares.length}`)}`,
        state: "4",
        owner: "'gone'",
        ended_at: "1700000000000 + $n / 10",
        outcome: "'done'",
        output: "'{}'",
      });
      await flush();
    },
  };
}

export type JobTable = ReturnType<typeof createJobTable>;
