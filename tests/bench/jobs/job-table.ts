import { createJobTables, dropJobTables, type JobTables } from "@crosszone/jobs";
import { openDatabase, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { shares } from "./plan.ts";

/** Opens a database with the table of jobs, some of which are in lanes. PostgreSQL never analyzes nor vacuums it. */
export function openJobDatabase(url: string): Promise<Database<JobTables>> {
  return openDatabase<JobTables>({
    url,
    schema: "bench",
    // Filling the table takes longer than a statement may.
    statementTimeoutMs: 0,
    migrations: {
      "0001_jobs": {
        up: async (db, engine) => {
          await createJobTables(db, engine, (table) =>
            table.addColumn("uncounted", "bigint", (column) => column.notNull().defaultTo(0)),
          );
          if (engine === "postgres") await sql`alter table job set (autovacuum_enabled = false)`.execute(db);
        },
        down: dropJobTables,
      },
    },
  });
}

/** Fills the table, each time with jobs that come after all others. */
export interface JobTable {
  /** Fills each share up, until so many wait in all of them together. */
  readonly fillTo: (waiting: number) => Promise<void>;
  /** Adds jobs that have ended. */
  readonly keep: (ended: number) => Promise<void>;
  /** Adds lanes of so many jobs each. The first of a lane is ready, the others are behind it. */
  readonly addLanes: (lanes: number, jobs: number) => Promise<void>;
}

interface Jobs {
  readonly count: number;
  /** An expression of `n`, from 0. */
  readonly values: Readonly<Record<string, string>>;
}

/** About 230 bytes a row. */
const record = JSON.stringify({ method: "message/send", note: "x".repeat(100) });
/** At most so many rows a statement. */
const most = 100_000;

export function createJobTable({ db, engine }: Database<JobTables>): JobTable {
  let added = 0;
  const pad = (digits: number, value: string): string =>
    engine === "sqlite" ? `printf('%0${digits}d', ${value})` : `lpad((${value})::text, ${digits}, '0')`;
  const numbers = (count: number): string =>
    engine === "sqlite"
      ? `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers`
      : `select n::bigint from generate_series(0, ${count - 1}) as n`;

  async function insert({ count, values }: Jobs): Promise<void> {
    for (let done = 0; done < count; done += most) {
      const part = Math.min(most, count - done);
      // Ids rise with time, as those of the zones do. Jobs were stored a hundred a second, long ago.
      const columns: Record<string, string> = {
        id: `'01930000-0000-7000-8000-' || ${pad(12, `${added} + n`)}`,
        kind: "'bench'",
        attempt: "0",
        due_at: `1700000000000 + (${added} + n) / 10`,
        created_at: `1700000000000 + (${added} + n) / 10`,
        record: `'${record}'`,
        ...Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, value.replaceAll("$n", `(n + ${done})`)]),
        ),
      };
      await sql
        .raw(
          `insert into job (${Object.keys(columns).join(", ")}) select ${Object.values(columns).join(", ")} from (${numbers(part)}) as numbers`,
        )
        .execute(db);
      added += part;
    }
  }

  /** Writes what a long fill has left for later: the database would do it while it is measured. */
  const settle = async (): Promise<void> =>
    void (await sql.raw(engine === "sqlite" ? "pragma wal_checkpoint(truncate)" : "checkpoint").execute(db));

  return {
    fillTo: async (waiting) => {
      const { rows } = await sql<{ share: string; n: number }>`
        select share, count(*) as n from job where state = 0 group by share`.execute(db);
      const there = new Map(rows.map(({ share, n }) => [share, n]));
      const before = added;
      for (const share of shares) {
        const count = Math.ceil(waiting / shares.length) - (there.get(share) ?? 0);
        if (count > 0) await insert({ count, values: { share: `'${share}'`, state: "0", input: "'{}'" } });
      }
      if (added - before >= most) await settle();
    },
    keep: async (ended) => {
      await insert({
        count: ended,
        values: {
          share: `'bench ' || ${pad(2, `$n % ${shares.length}`)}`,
          state: "4",
          owner: "'gone'",
          ended_at: "1700000000000 + $n / 10",
          outcome: "'done'",
          output: "'{}'",
        },
      });
      await settle();
    },
    addLanes: (lanes, jobs) =>
      insert({
        count: lanes * jobs,
        values: {
          share: "'bench lanes'",
          lane: `'${added}-' || ($n / ${jobs})`,
          state: `case when $n % ${jobs} = 0 then 0 else 2 end`,
          input: "'{}'",
        },
      }),
  };
}
