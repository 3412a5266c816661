import type { AgentErrorKind, ErrorKind } from "@crosszone/contracts";
import type { ColumnKind, MigrationStep } from "@crosszone/sql";
import { type JobSchema, jobsStep, type JobTable, type JobWorkerTable } from "@crosszone/jobs";

/** The columns that jobs of the execution zone have besides those of every job. */
export interface ExecutionJobTable extends JobTable {
  /** The agent's name in the form that a column accepts, for filters. */
  name: string | null;
  correlation_id: string | null;
  /** Why it has no answer. Readable without the output's key. */
  error_kind: ErrorKind | AgentErrorKind | null;
  /** Task: more about the error for operators, without secrets and content, so it is never sealed. */
  error_detail: string | null;
  /** Task: the handle of its files, sealed. Call: the task at the agent as JSON, may be sealed. Emptied at the end. */
  handle: string | null;
  /** Call: the task's `files` as JSON, may be sealed. Emptied at the end. */
  files: string | null;
  /** Call: the agent's progress as JSON, may be sealed. Emptied at the end. */
  progress: string | null;
  /** Task: how it continues when people have decided, as JSON, may be sealed. Emptied at the end. */
  paused: string | null;
  /** Task of a program: its `Asker.actor`. */
  asker: string | null;
  /** Task of a program: its context id, in the form that a column accepts. */
  context: string | null;
  /** Task of a program: when it last began to wait for people, Unix milliseconds. */
  changed_at: number | null;
  /** Call: how often the agent was called; null until it has ended. */
  agent_attempts: number | null;
  /** Task: size of its question, then of its outcome, as stored. */
  bytes: number | null;
}

export interface ExecutionJobTables {
  job: ExecutionJobTable;
  job_worker: JobWorkerTable;
}

/** The names of those columns. */
export type ExecutionColumn = Exclude<keyof ExecutionJobTable, keyof JobTable>;

const own = {
  name: "text",
  correlation_id: "text",
  error_kind: "text",
  error_detail: "text",
  asker: "text",
  context: "text",
  changed_at: "bigint",
  agent_attempts: "bigint",
  bytes: "bigint",
  handle: "text",
  files: "text",
  progress: "text",
  paused: "text",
} as const satisfies Record<ExecutionColumn, ColumnKind>;

export const executionJobs: JobSchema<ExecutionColumn> = {
  own,
  ended: ["error_kind", "error_detail", "agent_attempts", "bytes"],
  cleared: ["handle", "files", "progress", "paused"],
};

/** Creates and drops the tables of the execution zone's jobs. */
export const executionJobsStep: MigrationStep = jobsStep(
  (table) => Object.entries(own).reduce((made, [name, kind]) => made.addColumn(name, kind), table),
  {
    indexes: [
      "create index job_latest on job (created_at, id) where kind = 'task'",
      "create index job_by_asker on job (asker, name, coalesce(ended_at, changed_at, created_at), id) where asker is not null",
      "create index job_of_asker on job (asker, state, bytes) where asker is not null",
      "create index job_by_correlation on job (correlation_id) where correlation_id is not null",
    ],
    long: ["files"],
  },
);
