import { hash } from "node:crypto";
import type { AgentTask } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import type { NewJob } from "../table/job.ts";
import type { ExecutionColumn } from "./execution-jobs.ts";

/** The kind of jobs that call a registered agent. Tasks and runs create them; the bridge runs them. */
export const agentCallKind = "agent_call";

/**
 * The kind and share of a call of a workflow's step that has its result, as output, and waits for a process that advances
 * runs.
 */
export const agentResultKind = "agent_result";

/**
 * Metadata of a call, on Kafka the headers of its message: `traceparent`; `data-owner`, a digest of the data's owner;
 * `reply-to`, the receiver of the result.
 */
export type CallHeaders = Readonly<Record<string, string>>;

/** Identifies a task for an agent. A run can have many tasks, and tasks of different runs can share an id. */
export type CallIds = Pick<AgentTask, "run_id" | "task_id">;

/** A call to store. */
export interface NewAgentCall {
  readonly task: AgentTask;
  readonly headers: CallHeaders;
  /** Time left, milliseconds. */
  readonly deadlineMs: number;
  /** What waits for its result: a task's or a run's id. Absent for tasks of other programs. */
  readonly parent?: string | undefined;
}

/** The ids and agent of a task. */
export type TaskNames = Pick<AgentTask, "run_id" | "task_id" | "agent_name" | "correlation_id">;

/** The members of a call that never change. */
export interface AgentCallRecord {
  /** The task without its `input_data` and `files`. */
  readonly task: TaskNames;
  readonly headers: CallHeaders;
}

/** Returns the id of a run's task. Hexadecimal, so that every engine sorts ids in the same order. */
export const callId = ({ run_id, task_id }: CallIds): string => hash("sha256", JSON.stringify([run_id, task_id]));

/** Returns the share of an agent's calls. */
export const shareOfAgent = (name: string): string => `${agentCallKind} ${columnText(name)}`;

/** Returns the agent whose calls have this share. */
export const agentOfShare = (share: string): string => share.slice(agentCallKind.length + 1);

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
  const { "data-owner": team } = headers;
  return {
    id,
    kind: agentCallKind,
    share: shareOfAgent(task.agent_name),
    parent,
    team: team === undefined ? null : columnText(team),
    record: JSON.stringify({ task: asked, headers } satisfies AgentCallRecord),
    input: codec.toColumn(input_data, callInputContext(id)),
    deadlineMs,
    as,
    own: {
      name: columnText(task.agent_name),
      correlation_id: columnText(task.correlation_id),
      ...(files !== undefined && { files: codec.toColumn(files, callFilesContext(id)) }),
    },
  };
}
