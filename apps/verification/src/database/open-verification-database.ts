import type { JobWorkerTable } from "@crosszone/jobs";
import { openDatabase, type Database, type OpenOptions } from "@crosszone/sql";
import type { HandlesTable } from "./handles-table.ts";
import type { InboxJobTable } from "../inbox/inbox-jobs.ts";
import type { ClaimsTable, ThreadsTable } from "./inbox-table.ts";
import type { InstallationsTable } from "./installations-table.ts";
import type { SpentStatesTable } from "./spent-states-table.ts";
import type { StreamPaceTable } from "./stream-pace-table.ts";
import { verificationMigrations } from "./migrations.ts";

/** The tables of the verification zone. Each is documented next to the store that owns it. */
export interface VerificationTables {
  handle: HandlesTable;
  job: InboxJobTable;
  job_worker: JobWorkerTable;
  claim: ClaimsTable;
  thread: ThreadsTable;
  installation: InstallationsTable;
  spent_state: SpentStatesTable;
  stream_pace: StreamPaceTable;
}

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
