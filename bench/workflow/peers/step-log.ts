import { DatabaseSync } from "node:sqlite";
import { Pool } from "pg";

/** The least that a careful program stores of a step: that it began, and its output. */
export interface StepLog {
  /** Returns the output of a step that is done already; stores that it began if not. */
  readonly begin: (runId: string, step: string) => Promise<string | undefined>;
  readonly end: (runId: string, step: string, output: string) => Promise<void>;
}

const table = `create table if not exists step (run_id text, step text, output text, primary key (run_id, step))`;

/** Stores nothing. */
const forgetful: StepLog = { begin: async () => undefined, end: async () => undefined };

/** One row a step, one commit before it and one after it, each flushed to the disk. */
export async function openStepLog(databaseUrl: string): Promise<StepLog> {
  if (databaseUrl === "") return forgetful;
  return databaseUrl.startsWith("sqlite:") ? inSqlite(databaseUrl.slice("sqlite:".length)) : inPostgres(databaseUrl);
}

function inSqlite(path: string): StepLog {
  const file = new DatabaseSync(path, { timeout: 5_000 });
  file.exec("pragma journal_mode = wal; pragma synchronous = full;");
  file.exec(table);
  const find = file.prepare("select output from step where run_id = ? and step = ?");
  const add = file.prepare("insert into step (run_id, step) values (?, ?)");
  const change = file.prepare("update step set output = ? where run_id = ? and step = ?");
  return {
    begin: async (runId, step) => {
      const known = find.get(runId, step);
      if (known === undefined) add.run(runId, step);
      return (known?.["output"] ?? undefined) as string | undefined;
    },
    end: async (runId, step, output) => void change.run(output, runId, step),
  };
}

async function inPostgres(connectionString: string): Promise<StepLog> {
  const pool = new Pool({ connectionString, max: 10 });
  await pool.query(table);
  return {
    begin: async (runId, step) => {
      const { rows } = await pool.query<{ output: string | null }>({
        name: "begin",
        text: `insert into step (run_id, step) values ($1, $2)
               on conflict (run_id, step) do update set step = excluded.step returning output`,
        values: [runId, step],
      });
      return rows[0]?.output ?? undefined;
    },
    end: async (runId, step, output) => {
      const text = "update step set output = $1 where run_id = $2 and step = $3";
      await pool.query({ name: "end", text, values: [output, runId, step] });
    },
  };
}
