import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { compareSteps, type Inspection } from "./inspection.ts";

/** Inspects a SQLite file; undefined if it does not exist. */
export function inspectSqlite(path: string, steps: readonly string[]): Inspection | undefined {
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
    const seen = hasSteps ? column("select name from kysely_migration order by name") : [];
    return { version: `SQLite ${version}`, tooOld: false, ...compareSteps(steps, seen) };
  } finally {
    file.close();
  }
}
