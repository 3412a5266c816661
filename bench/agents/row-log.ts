import { DatabaseSync } from "node:sqlite";
import { Pool } from "pg";

/** The least that a careful program stores of a call: that it began, and its output. One commit each, flushed to the disk. */
export interface RowLog {
  /** Returns the output of a call that is done already; stores that it began if not. */
  readonly begin: (id: string, input: string) => Promise<string | undefined>;
  readonly end: (id: string, output: string) => Promise<void>;
}

const table = "create table if not exists call (id text primary key, input text, output text)";

/** Opens the log of a program written by hand. Without a database, it stores nothing. */
export async function openRowLog(databaseUrl: string): Promise<RowLog> {
  if (databaseUrl === "") return { begin: async () => undefined, end: async () => undefined };
  return databaseUrl.startsWith("sqlite:") ? inSqlite(databaseUrl.slice("sqlite:".length)) : inPostgres(databaseUrl);
}

function inSqlite(path: string): RowLog {
  const file = new DatabaseSync(path, { timeout: 5_000 });
  file.exec("pragma journal_mode = wal; pragma synchronous = full;");
  file.exec(table);
  const find = file.prepare("select output from call where id = ?");
  const add = file.prepare("insert into call (id, input) values (?, ?)");
  const change = file.prepare("update call set output = ? where id = ?");
  return {
    begin: async (id, input) => {
      const known = find.get(id);
      if (known === undefined) add.run(id, input);
      return (known?.["output"] ?? undefined) as string | undefined;
    },
    end: async (id, output) => void change.run(output, id),
  };
}

async function inPostgres(connectionString: string): Promise<RowLog> {
  const pool = new Pool({ connectionString, max: 10 });
  await pool.query(table);
  const beginning = `insert into call (id, input) values ($1, $2) on conflict (id) do update set id = excluded.id returning output`;
  const ending = "update call set output = $2 where id = $1";
  return {
    begin: async (id, input) => {
      const query = { name: "begin", text: beginning, values: [id, input] };
      const { rows } = await pool.query<{ output: string | null }>(query);
      return rows[0]?.output ?? undefined;
    },
    end: async (id, output) => void (await pool.query({ name: "end", text: ending, values: [id, output] })),
  };
}
