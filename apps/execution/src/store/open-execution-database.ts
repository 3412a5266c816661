import { hash } from "node:crypto";
import { type ExecutionColumn, executionJobs } from "@crosszone/agent-calls";
import { ZoneError } from "@crosszone/contracts";
import { openProcessJobs, type ProcessJobs, type ProcessJobsOptions } from "@crosszone/jobs";
import { createCounter, createGauge, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import { type Database, openDatabase, type OpenOptions, outageOf } from "@crosszone/sql";
import { moveRunDeadlines } from "@crosszone/workflow";
import { sql } from "kysely";
import { executionMigrations } from "./migrations.ts";
import type { ExecutionTables } from "./tables.ts";

export type ExecutionDatabase = Database<ExecutionTables>;

/** Opens the zone's database and migrates its tables. */
export function openExecutionDatabase(options: Omit<OpenOptions, "migrations" | "schema">): Promise<ExecutionDatabase> {
  return openDatabase<ExecutionTables>({ ...options, schema: "execution", migrations: executionMigrations });
}

/** Returns the digest by which a team's data is found. Callers may send any text as team id. */
export const teamKey = (teamId: string): string => hash("sha256", teamId, "base64url");

/** The jobs of this process: one store and one lease for all its workers. */
export type ZoneJobs = ProcessJobs<ExecutionColumn>;

export type OpenJobsOptions = Omit<ProcessJobsOptions<ExecutionColumn>, "database" | "schema" | "moving">;

/** Returns a function that measures commits of tasks and of their agent calls. */
export function measureCommits(registry: MetricsRegistry): NonNullable<OpenJobsOptions["onCommit"]> {
  const duration = createHistogram(registry, "task_commit_duration_seconds");
  const writes = createCounter(registry, "task_writes_total");
  return ({ jobs, durationMs }) => {
    duration.observe({}, durationMs / 1_000);
    writes.add({}, jobs);
  };
}

/** Updates the gauge of running jobs at each scrape. */
export function measureRunning(registry: MetricsRegistry, { running }: ZoneJobs): void {
  createGauge(registry, "jobs_running", {
    labels: { kind: () => true },
    read: () => [...running()].map(([kind, value]) => ({ labels: { kind }, value })),
  });
}

export const openJobs = (database: ExecutionDatabase, options: OpenJobsOptions): ZoneJobs =>
  openProcessJobs({
    database,
    schema: executionJobs,
    ...options,
    moving: (jump) => [
      ...moveRunDeadlines(database.engine, jump),
      sql`update input_request set expires_at = expires_at + ${sql.lit(jump.ms)} where ended_at is null`,
    ],
  });

/** Returns what callers get instead of an error: `zone_unavailable` while the database can't work, otherwise the same. */
export function errorForCallers(error: unknown): unknown {
  const outage = error instanceof ZoneError ? undefined : outageOf(error);
  return outage === undefined ? error : zoneUnavailable(outage.what, error);
}

/** The error of work that is given up, because the processes that did it were ended so often. */
export const processesEnded = (times: number): ZoneError =>
  zoneUnavailable(`our processes were ended ${times} times while they worked on this`);

/** `because`: what is wrong in the zone, without anything private. */
export const zoneUnavailable = (because: string, cause?: unknown): ZoneError =>
  new ZoneError(
    "zone_unavailable",
    { problems: [{ pointer: "", message: because }], retry_after_ms: 1_000 },
    { cause },
  );
