import { executionJobsStep, type ExecutionJobTables } from "@crosszone/jobs";
import { openDatabase, type Database } from "@crosszone/sql";
import { deadLettersStep, type DeadLetterTables } from "../database/dead-letter-table.ts";

/** Opens a database with the tables of jobs and dead letters only. */
export function openZoneDatabase(url: string): Promise<Database<ExecutionJobTables & DeadLetterTables>> {
  return openDatabase<ExecutionJobTables & DeadLetterTables>({
    url,
    schema: "zone",
    migrations: {
      "0001_dead_letters": deadLettersStep,
      "0002_jobs": executionJobsStep,
    },
    onIdleError: () => undefined,
  });
}
