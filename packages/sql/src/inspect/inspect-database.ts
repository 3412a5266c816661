import type { OpenOptions } from "../open-database.ts";
import type { Inspection } from "./inspection.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";

/**
 * Inspects a database without changing it; creates no file, table or schema. Resolves with undefined when the SQLite file does not exist
 * yet. Rejects when the database can't be reached.
 */
export async function inspectDatabase({
  url,
  schema,
  migrations,
}: Pick<OpenOptions, "url" | "schema" | "migrations">): Promise<Inspection | undefined> {
  const steps = Object.keys(migrations);
  if (url.startsWith("sqlite:")) return inspectSqlite(url.slice("sqlite:".length), steps);
  // Load the driver only when needed.
  const { inspectPostgres } = await import("./inspect-postgres.ts");
  return inspectPostgres({ url, schema }, steps);
}
