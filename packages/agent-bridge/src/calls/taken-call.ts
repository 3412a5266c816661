import type { AgentTask } from "@crosszone/contracts";
import { callFilesContext, callInputContext, callRemoteIdContext } from "@crosszone/jobs";
import type { AgentCallRecord, CallHeaders, ExecutionColumn, HeldJob, TakenJob } from "@crosszone/jobs";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import type { ChosenWay } from "../canary/chosen-way.ts";

/** A call that this process holds. */
export interface TakenCall extends HeldJob {
  /** Its `input_data` is null when it can't be read; see `isReadable`. */
  readonly task: AgentTask;
  /** False when its key is missing, so that no agent can be called. */
  readonly isReadable: boolean;
  readonly headers: CallHeaders;
  /** What waits for its result: a task's or a run's id. */
  readonly parent: string | undefined;
  /** The agent's own id of the task, when it has accepted it. */
  readonly remoteId: string | undefined;
  /** How it is sent; undefined when its agent is unknown. */
  readonly way: ChosenWay | undefined;
  /** Time until its deadline, milliseconds; negative after it. */
  readonly remainingMs: number;
  /** Time since it was stored, milliseconds. */
  readonly waitedMs: number;
}

/** Reads a taken job. */
export function takenCallOf(job: TakenJob<ExecutionColumn>, codec: RecordCodec): TakenCall {
  const { id, attempt, parent } = job;
  const { task, headers } = recordOf(job);
  const input = opened(job.input, callInputContext(id), codec);
  const remoteId = opened(job.handle, callRemoteIdContext(id), codec) as string | undefined;
  const files = opened(job.files, callFilesContext(id), codec) as AgentTask["files"];
  return {
    id,
    attempt,
    task: { ...task, input_data: input ?? null, ...(files !== undefined && { files }) },
    isReadable: input !== undefined && (job.files === null || files !== undefined),
    headers,
    parent: parent ?? undefined,
    remoteId,
    way: wayIn(job),
    remainingMs: job.remaining_ms ?? 0,
    waitedMs: job.waited_ms,
  };
}

/** Returns the members of a call that never change. They are never sealed. */
export const recordOf = ({ record }: { readonly record: string }): AgentCallRecord =>
  JSON.parse(record) as AgentCallRecord;

/** Returns the way on which a call is sent; undefined when it never ran. */
export const wayIn = ({ way }: Pick<TakenJob<ExecutionColumn>, "way">): ChosenWay | undefined =>
  typeof way === "string" ? (JSON.parse(way) as ChosenWay) : undefined;

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
