import { deadlineMsOf } from "@crosszone/agent-bridge";
import type { AgentResult, AgentTask, ZoneError } from "@crosszone/contracts";
import { callId, type CallIntake, type ExecutionColumn, type NewAgentCall } from "@crosszone/agent-calls";
import { type JobStore, storeArrival } from "@crosszone/jobs";
import { retryTransient } from "@crosszone/sql";
import { EndWatch } from "../../database/end-watch.ts";
import { isUnwanted } from "../agent.ts";
import type { ReadCalls } from "./call-reader.ts";

/** The value of the header `reply-to` of calls whose result a task waits for. */
export const repliesToTask = "execution";

export interface CallRequest {
  readonly task: AgentTask;
  /** The task whose agent makes this call, if it is not the call of a task itself. */
  readonly parentTaskId?: string;
  /** Digest of the requester's team. */
  readonly team?: string;
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  /** How often the question was passed on before. */
  readonly hops?: number;
  /** Called when the call is stored: whether it runs in this process from its beginning. */
  readonly onStored?: (runsHere: boolean) => void;
}

export interface TaskCalls {
  /**
   * Stores a call of an agent and waits for its result, which may exist if the task ran before. Rejects with the signal's reason. The call
   * then continues, unless the reason is `canceled` or `timeout`.
   */
  readonly call: (request: CallRequest, signal: AbortSignal) => Promise<AgentResult>;
  /** Cancels a task's call, in whichever process it runs. Never throws. */
  readonly cancel: (task: Pick<AgentTask, "task_id" | "correlation_id">, reason: string) => void;
  /** Gives a result to the task that waits for it in this process. Returns whether one does. */
  readonly deliver: (result: AgentResult) => boolean;
  /** Calls may have ended elsewhere. */
  readonly readSoon: () => void;
  /** Finishes pending cancellations. */
  readonly stop: () => Promise<void>;
}

export interface TaskCallsDeps {
  readonly intake: CallIntake;
  readonly jobs: Pick<JobStore<ExecutionColumn>, "add">;
  readonly read: ReadCalls;
  /** Timeout of a task without deadline, milliseconds. */
  readonly deadlineMs: number;
  /** An operation of the database failed. It is retried, or the deadline makes up for it. */
  readonly onFailure: (operation: "send" | "look" | "cancel", cause: unknown) => void;
}

/** Pause between two reads of results, milliseconds: the first, and the longest while no result comes. */
const pausesMs = [100, 1_000] as const;

export function createTaskCalls({ intake, jobs, read, deadlineMs, onFailure }: TaskCallsDeps): TaskCalls {
  /** The calls that were stored by this process and may have been lost with a power failure of the database. */
  const stored = new Map<string, NewAgentCall>();
  const canceling = new Set<Promise<void>>();
  const watch = new EndWatch({
    read,
    pausesMs,
    onMissing: (id) => {
      const call = stored.get(id);
      if (call !== undefined) enter(call).catch((cause: unknown) => onFailure("send", cause));
    },
    onFailure: (cause) => onFailure("look", cause),
  });

  async function enter(call: NewAgentCall, onStored?: CallRequest["onStored"]): Promise<void> {
    const arrival = await intake.enter(call);
    const { job } = arrival;
    // Its task is durable, and stores it again.
    const isNew = await storeArrival(arrival, () => jobs.add(job, { unflushed: true }));
    onStored?.(isNew && job.as === "leased");
    // The task ran before, and its call may have ended.
    if (!isNew) watch.readSoon();
  }

  const cancel: TaskCalls["cancel"] = ({ task_id, correlation_id }, reason) => {
    const done = retryTransient(() => intake.cancel({ run_id: task_id, task_id, correlation_id }, reason))
      .catch((cause: unknown) => onFailure("cancel", cause))
      .finally(() => canceling.delete(done));
    canceling.add(done);
  };

  return {
    call: async (request, signal) => {
      const call = callOf(request, deadlineMs);
      const id = callId(call.task);
      const over = new AbortController();
      // Started before the call is stored, because its result may come at once.
      const waited = watch.waitFor(id, AbortSignal.any([signal, over.signal]));
      waited.catch(() => undefined);
      try {
        const onRetry = (error: unknown): void => onFailure("send", error);
        await retryTransient(() => enter(call, request.onStored), { budgetMs: Infinity, signal, onRetry });
        stored.set(id, call);
        return await waited;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        over.abort();
        if (stored.get(id) === call) stored.delete(id);
        if (signal.aborted && isUnwanted(signal.reason)) cancel(request.task, (signal.reason as ZoneError).kind);
      }
    },
    cancel,
    deliver: (result) => watch.deliver(callId(result), result),
    readSoon: () => watch.readSoon(),
    stop: async () => void (await Promise.all(canceling)),
  };
}

function callOf({ task, parentTaskId, ...about }: CallRequest, otherwiseMs: number): NewAgentCall {
  return {
    task,
    parent: parentTaskId ?? task.task_id,
    deadlineMs: deadlineMsOf(task, otherwiseMs),
    headers: { "reply-to": repliesToTask, ...taskHeaders(about) },
  };
}

/** Returns the headers of all messages of a task: its team, its trace and how often its question is passed on. */
export const taskHeaders = ({ team, traceparent, hops }: Pick<CallRequest, "team" | "traceparent" | "hops">) => ({
  ...(team !== undefined && { "data-owner": team }),
  ...(traceparent !== undefined && { traceparent }),
  ...(hops !== undefined && { hops: String(hops + 1) }),
});
