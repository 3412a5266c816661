import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** The one row of numbers that a query gives, past the zones and their own way to the database. */
export async function readRow<Row extends Readonly<Record<keyof Row, number>>>(
  url: string,
  schema: string,
  query: string,
): Promise<Row> {
  const row = url.startsWith("sqlite:")
    ? readFile(url.slice("sqlite:".length), query)
    : await readServer(url, schema, query);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Row;
}

function readFile(path: string, query: string): object {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(query).get() ?? {};
  } finally {
    database.close();
  }
}

async function readServer(url: string, schema: string, query: string): Promise<object> {
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    const { rows } = await client.query<object>(query);
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
}
