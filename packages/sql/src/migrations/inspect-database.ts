import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Migrations } from "./migrate.ts";
import { compareSteps, type Inspection } from "./inspection.ts";

/** Inspects a SQLite file; undefined if it does not exist. */
function inspectSqlite(path: string, steps: readonly string[]): Inspection | undefined {
  if (!existsSync(path)) return undefined;
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const column = (query: string): string[] =>
      file
        .prepare(query)
        .all()
        .map((row) => String(Object.values(row)[0]));
    const [version = ""] = column("select sqlite_version()");
    const hasSteps = column("select name from sqlite_schema where name = 'kysely_migration'").length > 0;
    const applied = hasSteps ? column("select name from kysely_migration order by name") : [];
    return { version: `SQLite ${version}`, tooOld: false, ...compareSteps(steps, applied) };
  } finally {
    file.close();
  }
}

/**
 * Inspects a database without changing it; creates no file, table or schema. Resolves with undefined when the SQLite file does not exist
 * yet. Rejects when the database can't be reached.
 */
export async function inspectDatabase({
  url,
  schema,
  migrations,
}: {
  readonly url: string;
  readonly schema: string;
  readonly migrations: Migrations;
}): Promise<Inspection | undefined> {
  const steps = Object.keys(migrations);
  if (url.startsWith("sqlite:")) return inspectSqlite(url.slice("sqlite:".length), steps);
  // Load the driver only when needed.
  const { inspectPostgres } = await import("./inspect-postgres.ts");
  return inspectPostgres({ url, schema }, steps);
}
