import type { OpenOptions } from "../open-database.ts";
import type { Inspection } from "./inspection.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";

/**
 * Looks at a database as it is and changes nothing: no file, no table and no schema is made. Nothing when there is no SQLite file yet.
 * Rejects when it cannot be reached.
 */
export async function inspectDatabase({
  url,
  schema,
  migrations,
}: Pick<OpenOptions, "url" | "schema" | "migrations">): Promise<Inspection | undefined> {
  const steps = Object.keys(migrations);
  if (url.startsWith("sqlite:")) return inspectSqlite(url.slice("sqlite:".length), steps);
  // The driver is loaded only where it is needed.
  const { inspectPostgres } = await import("./inspect-postgres.ts");
  return inspectPostgres({ url, schema }, steps);
}
