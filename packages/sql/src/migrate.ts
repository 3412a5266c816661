import type { Kysely } from "kysely";
import { Migrator, type Migration, type MigrationResult } from "kysely/migration";
import type { Engine } from "./database.ts";

/** One step of the tables' history, for both engines. Its name gives its place: `0001_tasks`. */
export interface MigrationStep {
  // Tables of a step are not those of today, which the type of the database tells.
  readonly up: (db: Kysely<never>, engine: Engine) => Promise<void>;
  readonly down: (db: Kysely<never>, engine: Engine) => Promise<void>;
}

export type Migrations = Readonly<Record<string, MigrationStep>>;

/** Brings the tables to the latest step. Several processes may start at once: one migrates, the others wait. Throws what went wrong. */
export async function migrate(
  { db, engine }: { readonly db: Kysely<never>; readonly engine: Engine },
  migrations: Migrations,
  schema: string,
): Promise<readonly MigrationResult[]> {
  const steps = Object.entries(migrations).map(([name, { up, down }]): [string, Migration] => [
    name,
    { up: (at) => up(at as Kysely<never>, engine), down: (at) => down(at as Kysely<never>, engine) },
  ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    ...(engine === "postgres" && { migrationTableSchema: schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results;
}
