import { hash } from "node:crypto";
import type { AgentErrorKind, AgentResult, AgentTask, ErrorKind } from "@crosszone/contracts";
import {
  type Arrival,
  type EndingJob,
  type JobEnd,
  type JobSchema,
  jobsStep,
  type JobTable,
  type JobWorkerTable,
  type LeaseId,
  type NewJob,
  outboxStep,
  type OutboxTables,
} from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { type ColumnKind, columnText, joinSteps, type MigrationStep, sqlStep } from "@crosszone/sql";

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
  /** Task: the beginning of its question, may be sealed. */
  title: string | null;
  /** Task: its requester, see `peopleColumn`. */
  people: string | null;
  /** Task of a program: its context id, in the form that a column accepts. Wait for an event: its topic. */
  context: string | null;
  /** Task of a program: when it last began to wait for people, Unix milliseconds. */
  changed_at: number | null;
  /** Call: how often the agent was called; null until it has ended. */
  agent_attempts: number | null;
  /** Task: size of its question, then of its outcome, as stored. */
  bytes: number | null;
}

export interface ExecutionJobTables extends OutboxTables {
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
  people: "text",
  context: "text",
  changed_at: "bigint",
  agent_attempts: "bigint",
  bytes: "bigint",
  handle: "text",
  files: "text",
  progress: "text",
  paused: "text",
  title: "text",
} as const satisfies Record<ExecutionColumn, ColumnKind>;

/** Columns that later steps of the zone add. */
const { title: _title, ...ofFirstStep } = own;

export const executionJobs: JobSchema<ExecutionColumn> = {
  own,
  ended: ["error_kind", "error_detail", "agent_attempts", "bytes"],
  cleared: ["handle", "files", "progress", "paused"],
  sends: true,
};

/** Creates and drops the tables of the execution zone's jobs, and of the messages that leave with them. */
export const executionJobsStep: MigrationStep = joinSteps(
  outboxStep,
  jobsStep((table) => Object.entries(ofFirstStep).reduce((made, [name, kind]) => made.addColumn(name, kind), table), {
    indexes: [
      "create index job_latest on job (created_at, id) where kind = 'task'",
      "create index job_by_asker on job (asker, name, coalesce(ended_at, changed_at, created_at), id) where asker is not null",
      "create index job_of_asker on job (asker, state, bytes) where asker is not null",
      "create index job_failed_call on job (name, ended_at) where kind = 'agent_call' and error_kind is not null",
      "create index job_by_correlation on job (correlation_id) where correlation_id is not null",
    ],
    long: ["files"],
  }),
);

/** Adds the titles of tasks. */
export const taskTitlesStep: MigrationStep = sqlStep("alter table job add column title text");

/** The table of jobs as it is now, for zones of tests. */
export const latestJobsStep: MigrationStep = joinSteps(executionJobsStep, taskTitlesStep);

export interface CallArrival {
  /** The job to store, with the change that makes the call. */
  readonly job: NewJob<ExecutionColumn>;
  readonly settle: Arrival["settle"];
}

/**
 * Enqueues calls to registered agents: for this process's bridge, which leases a call if its agent has a free slot; for
 * other processes, which take it from the table; or for Kafka.
 */
export interface CallIntake {
  readonly enter: (call: NewAgentCall) => Promise<CallArrival>;
  /**
   * Ends a call that is no longer needed, wherever it runs or waits, and stops the work on it. Does nothing when it has
   * ended.
   */
  readonly cancel: (call: CallIds & { readonly correlation_id: string }, reason: string) => Promise<void>;
}

/** A call that this process has leased, reduced to what its end needs. */
interface EndingCall {
  readonly leaseId: LeaseId;
  readonly task: TaskNames;
  readonly headers: CallHeaders;
  /** What waits for its result: a task's or a run's id. */
  readonly parent: string | undefined;
}

/** How a call ended. `canceled`: by a decision, not by the agent. */
export type CallOutcome = "succeeded" | "failed" | "canceled";

export interface CallEnding {
  readonly outcome: CallOutcome;
  readonly result: AgentResult;
  /** The end of its job, with the result as output. */
  readonly ending: EndingJob<ExecutionColumn>;
}

/** Receives ends of calls: the task or run of this process that waits, other processes, or Kafka. */
export interface CallEnds {
  /**
   * Stores the end of a call that this process has leased, and passes the result to the task or run that waits. Resolves with false when the
   * call was lost: then nothing is stored.
   */
  readonly end: (call: EndingCall, end: CallEnding) => Promise<boolean>;
}

/** The kind of jobs that call a registered agent. Tasks and runs create them; the bridge runs them. */
export const agentCallKind = "agent_call";

/**
 * The kind and share of a call of a workflow's step that has its result, as output, and waits for a process that advances
 * runs.
 */
export const agentResultKind = "agent_result";

/** The kind of jobs that ask people, for tasks and runs. Execution runs them. The id is that of the input request. */
export const inputKind = "input";

/** The kind of jobs that wait for an event, for steps of runs. The column `context` has the event's `topicOf`. */
export const eventWaitKind = "event_wait";

/** The kind of jobs that run another workflow, for steps of runs. The id is that of the other run. */
export const subRunKind = "sub_run";

/** The kind of jobs that call a language model, for steps of runs. Execution runs them. */
export const promptKind = "prompt";

/**
 * Metadata of a call, on Kafka the headers of its message: `traceparent`; `data-owner`, a digest of the data's owner;
 * `reply-to`, the receiver of the result; `hops`, how often the question was passed on with this call; `follows`, that the call sends nothing
 * and follows the agent's task that is open.
 */
export type CallHeaders = Readonly<Record<string, string>>;

/** Identifies a task for an agent. A run can have many tasks, and tasks of different runs can share an id. */
export type CallIds = Pick<AgentTask, "run_id" | "task_id">;

export interface NewAgentCall {
  readonly task: AgentTask;
  readonly headers: CallHeaders;
  /** Time left, milliseconds. */
  readonly deadlineMs: number;
  /** What waits for its result: a task's or a run's id. Absent for tasks of other programs. */
  readonly parent?: string;
}

export type TaskNames = Pick<AgentTask, "run_id" | "task_id" | "agent_name" | "correlation_id">;

/** The members of a call that never change. */
export interface AgentCallRecord {
  /** The task without its `input_data` and `files`. */
  readonly task: TaskNames;
  readonly headers: CallHeaders;
}

/** Returns the id of a run's task. Hexadecimal, so that every engine sorts ids in the same order. */
export const callId = ({ run_id, task_id }: CallIds): string => hash("sha256", JSON.stringify([run_id, task_id]));

export const shareOfAgent = (name: string): string => `${agentCallKind} ${columnText(name)}`;

export const agentOfShare = (share: string): string => share.slice(agentCallKind.length + 1);

/** Returns the members of a call that never change. They are never sealed. */
export const callRecordOf = ({ record }: { readonly record: string }): AgentCallRecord =>
  JSON.parse(record) as AgentCallRecord;

/** Returns the digest of the data's owner as a column holds it. */
export const ownerColumn = ({ "data-owner": owner }: CallHeaders): string | null =>
  owner === undefined ? null : columnText(owner);

/** The contexts that a call's sealed columns are bound to. */
export const callInputContext = (id: string): string => `agent_call input ${id}`;
export const callFilesContext = (id: string): string => `agent_call files ${id}`;
export const callRemoteIdContext = (id: string): string => `agent_call remote_id ${id}`;
export const callProgressContext = (id: string): string => `agent_call progress ${id}`;
export const callOutputContext = (id: string): string => `agent_call output ${id}`;

/** Returns the job of a call. `as`: see `NewJob`. */
export function agentCallJob(
  { task, headers, deadlineMs, parent }: NewAgentCall,
  as: NewJob["as"],
  codec: RecordCodec,
): NewJob<ExecutionColumn> {
  const { input_data, files, ...asked } = task;
  const id = callId(task);
  return {
    id,
    kind: agentCallKind,
    share: shareOfAgent(task.agent_name),
    parent,
    team: ownerColumn(headers),
    record: JSON.stringify({ task: asked, headers } satisfies AgentCallRecord),
    input: codec.toColumn(input_data, callInputContext(id)),
    deadlineMs,
    as,
    own: {
      name: columnText(task.agent_name),
      correlation_id: columnText(task.correlation_id),
      files: files && codec.toColumn(files, callFilesContext(id)),
    },
  };
}

/** Returns the end of a call's job. */
export function callEnd(
  { id, outcome, result }: { readonly id: string; readonly outcome: CallOutcome; readonly result: AgentResult },
  codec: RecordCodec,
): JobEnd<ExecutionColumn> {
  const output = codec.toColumn(result, callOutputContext(id));
  return { outcome, output, own: { error_kind: result.error?.kind ?? null, agent_attempts: result.attempts ?? null } };
}
