import { DatabaseSync } from "node:sqlite";
import { Pool } from "pg";

/** The least that a careful program stores of a task: that it was sent, and its result. */
export interface TaskLog {
  readonly begin: (id: string, task: string) => Promise<void>;
  readonly end: (id: string, result: string) => Promise<void>;
}

const table = `create table if not exists task (id text primary key, state text, task text, result text)`;
const insert = (id: string, task: string): string =>
  `insert into task (id, state, task) values (${id}, 'open', ${task})`;
const update = (id: string, result: string): string =>
  `update task set state = 'done', result = ${result} where id = ${id} and state = 'open'`;

/** One row a task, one commit before it and one after it, each flushed to the disk. */
export async function openTaskLog(databaseUrl: string): Promise<TaskLog> {
  return databaseUrl.startsWith("sqlite:") ? inSqlite(databaseUrl.slice("sqlite:".length)) : inPostgres(databaseUrl);
}

function inSqlite(path: string): TaskLog {
  const file = new DatabaseSync(path, { timeout: 5_000 });
  file.exec("pragma journal_mode = wal; pragma synchronous = full;");
  file.exec(table);
  const [begin, end] = [file.prepare(insert("?1", "?2")), file.prepare(update("?1", "?2"))];
  return {
    begin: async (id, task) => void begin.run(id, task),
    end: async (id, result) => void end.run(id, result),
  };
}

async function inPostgres(connectionString: string): Promise<TaskLog> {
  const pool = new Pool({ connectionString, max: 10 });
  await pool.query(table);
  const run = (name: string, text: string) => async (id: string, value: string) =>
    void (await pool.query({ name, text, values: [id, value] }));
  return { begin: run("begin", insert("$1", "$2")), end: run("end", update("$1", "$2")) };
}
