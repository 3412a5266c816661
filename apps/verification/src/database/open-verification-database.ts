import { openDatabase, type Database, type OpenOptions } from "@crosszone/sql";
import { verificationMigrations } from "./migrations.ts";
import type { VerificationTables } from "./tables.ts";

export type VerificationDatabase = Database<VerificationTables>;

/** Opens the zone's database and migrates its tables. */
export function openVerificationDatabase(
  options: Omit<OpenOptions, "migrations" | "schema">,
): Promise<VerificationDatabase> {
  return openDatabase<VerificationTables>({
    ...options,
    schema: "verification",
    migrations: verificationMigrations,
  });
}
