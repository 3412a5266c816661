import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import {
  type AgentCallRecord,
  callFilesContext,
  type CallHeaders,
  callInputContext,
  callRemoteIdContext,
  type ExecutionColumn,
  type TaskNames,
} from "@crosszone/agent-calls";
import type { LeasedJob, LeaseId } from "@crosszone/jobs";
import { type RecordCodec, SealedTextError } from "@crosszone/service-kit";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentTaskIds } from "../events/agent-events.ts";
import type { AgentWay } from "../registry/agent-settings.ts";

/** A task that an agent has accepted: its id there, and where it is polled and canceled even if the agent is moved meanwhile. */
export interface RemoteTask extends AgentWay {
  readonly id: string;
}

export interface LeasedCall extends LeaseId {
  /** Its `input_data` is null when it can't be read; see `isReadable`. */
  readonly task: AgentTask;
  /** False when its key is missing, so that no agent can be called. */
  readonly isReadable: boolean;
  readonly headers: CallHeaders;
  /** What waits for its result: a task's or a run's id. */
  readonly parent: string | undefined;
  /** The task at the agent, when it has accepted it. */
  readonly remote: RemoteTask | undefined;
  /** Time until its deadline, milliseconds; negative after it. */
  readonly remainingMs: number;
  /** Time since it was stored, milliseconds. */
  readonly waitedMs: number;
}

export function leasedCallOf(job: LeasedJob<ExecutionColumn>, codec: RecordCodec): LeasedCall {
  const { id, attempt, parent } = job;
  const { task, headers } = recordOf(job);
  const input = opened(job.input, callInputContext(id), codec);
  const remote = opened(job.handle, callRemoteIdContext(id), codec) as RemoteTask | undefined;
  const files = opened(job.files, callFilesContext(id), codec) as AgentTask["files"];
  return {
    id,
    attempt,
    task: { ...task, input_data: input ?? null, ...(files !== undefined && { files }) },
    isReadable: input !== undefined && (job.files === null || files !== undefined),
    headers,
    parent: parent ?? undefined,
    remote,
    remainingMs: job.remaining_ms ?? 0,
    waitedMs: job.waited_ms,
  };
}

/** Returns the members of a call that never change. They are never sealed. */
export const recordOf = ({ record }: { readonly record: string }): AgentCallRecord =>
  JSON.parse(record) as AgentCallRecord;

/** Returns the JSON in a column; undefined when the column is empty or its key is missing. */
export function opened(text: unknown, context: string, codec: RecordCodec): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return codec.fromColumn(text, context);
  } catch (error) {
    if (error instanceof SealedTextError) return undefined;
    throw error;
  }
}

/** Returns why a call must not start; undefined when it can. */
export function refusalOf(
  { task, isReadable, attempt, remainingMs }: LeasedCall,
  agent: AgentRecord | undefined,
  mostAttempts: number,
): AgentFailure | undefined {
  const name = JSON.stringify(task.agent_name);
  if (agent === undefined) return new AgentFailure("unknown_agent", `No agent has the name ${name}.`);
  if (!agent.enabled) return new AgentFailure("agent_disabled", `The agent ${name} is disabled.`);
  if (remainingMs <= 0) return new AgentFailure("deadline_exceeded", "The task's deadline passed before it started.");
  if (!isReadable) return new AgentFailure("internal", "The task's input can't be decrypted: its key is missing.");
  if (attempt > mostAttempts)
    return new AgentFailure(
      "internal",
      `The task was started ${mostAttempts} times, and each time its process crashed.`,
    );
  return undefined;
}

export function taskIdsOf(task: TaskNames, headers: CallHeaders): AgentTaskIds {
  const { run_id, task_id, agent_name, correlation_id } = task;
  return { run_id, task_id, agent_name, correlation_id, traceparent: headers.traceparent };
}

/** The longest deadline: seven days. Timers support at most 24. */
const mostMs = 7 * 24 * 3_600_000;

/** Returns the time left for a task, milliseconds; `otherwiseMs` when it has no deadline. */
export function deadlineMsOf({ deadline }: Pick<AgentTask, "deadline">, otherwiseMs: number): number {
  if (deadline === undefined) return otherwiseMs;
  // A time without offset is UTC; `Date` would read it in this machine's zone. `Date` also rejects leap seconds.
  const withOffset = /(Z|[+-]\d\d:\d\d)$/.test(deadline) ? deadline : `${deadline}Z`;
  const at = Date.parse(withOffset.replace(/:60(?=[.Z+-])/, ":59"));
  return Math.min(Math.max(0, at - Date.now()), mostMs);
}
