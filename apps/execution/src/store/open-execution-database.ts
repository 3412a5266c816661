import { hash } from "node:crypto";
import { agentCountsStep, type AgentCountTables, agentsStep, type AgentTables } from "@crosszone/agent-bridge";
import {
  type ExecutionColumn,
  executionJobs,
  executionJobsStep,
  type ExecutionJobTables,
  taskTitlesStep,
} from "@crosszone/agent-calls";
import { auditStep, type AuditTables } from "@crosszone/audit";
import { ZoneError } from "@crosszone/contracts";
import { openProcessJobs, type ProcessJobs, type ProcessJobsOptions } from "@crosszone/jobs";
import { deadLettersStep, type DeadLetterTables } from "@crosszone/kafka-gateway";
import { dataKeysStep, type DataKeyTables } from "@crosszone/ops/data";
import { createCounter, createGauge, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import { type Database, joinSteps, type Migrations, openDatabase, type OpenOptions, outageOf } from "@crosszone/sql";
import {
  authorsStep,
  moveRunDeadlines,
  runTreesStep,
  workflowEventsStep,
  workflowsStep,
  type WorkflowTables,
} from "@crosszone/workflow";
import { sql } from "kysely";
import { consentsStep, firesStep, type FireTables } from "./fire-tables.ts";
import { callDigestStep, inputsStep, type InputTables, latestInputsStep } from "./input-tables.ts";
import { messagesStep, type MessageTables, standingsStep } from "./message-tables.ts";
import {
  type AgentConversationTables,
  apiTokensStep,
  type ApiTokenTables,
  bulkActionsStep,
  type BulkActionTables,
  bulkProblemsStep,
  callEndsStep,
  callStartersStep,
  conversationsStep,
  fileLinksStep,
  type FileLinkTables,
  type McpTables,
  mcpLeftOutStep,
  mcpToolsStep,
  sessionsStep,
  type SessionTables,
  taskEventsStep,
  type TaskEventTables,
  threadSummaryStep,
  type ThreadSummaryTables,
  toolCallsStep,
  usageStep,
  type UsageTables,
} from "./tables.ts";

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const executionMigrations: Migrations = {
  "0001_tables": joinSteps(
    executionJobsStep,
    deadLettersStep,
    agentsStep,
    workflowsStep,
    conversationsStep,
    threadSummaryStep,
    fileLinksStep,
    usageStep,
    mcpToolsStep,
    inputsStep,
    apiTokensStep,
    auditStep,
    taskEventsStep,
  ),
  "0002_add_console": joinSteps(bulkActionsStep, sessionsStep, messagesStep, latestInputsStep),
  "0003_add_schedules": joinSteps(firesStep, workflowEventsStep),
  "0004_add_left_out_tools": mcpLeftOutStep,
  "0005_add_call_digests": callDigestStep,
  "0006_add_bulk_problems": bulkProblemsStep,
  "0007_add_starters_of_calls": callStartersStep,
  "0008_add_data_keys": dataKeysStep,
  "0009_add_run_trees": runTreesStep,
  "0010_add_authors": authorsStep,
  "0011_add_schedule_consents": consentsStep,
  "0012_add_agent_counts": agentCountsStep,
  "0013_add_standings": joinSteps(standingsStep, taskTitlesStep),
  "0014_add_model_call_ends": callEndsStep,
  "0015_add_tool_calls": toolCallsStep,
};

/** The tables of the execution zone. Each is described next to the store that reads it, including those of packages. */
export interface ExecutionTables
  extends
    DeadLetterTables,
    DataKeyTables,
    AgentCountTables,
    AgentTables,
    ApiTokenTables,
    AuditTables,
    AgentConversationTables,
    BulkActionTables,
    ExecutionJobTables,
    FileLinkTables,
    FireTables,
    InputTables,
    SessionTables,
    TaskEventTables,
    ThreadSummaryTables,
    McpTables,
    MessageTables,
    UsageTables,
    WorkflowTables {}

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
