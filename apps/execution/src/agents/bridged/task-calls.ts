import { deadlineMsOf } from "@crosszone/agent-bridge";
import {
  type CallEnds,
  type CallHeaders,
  callId,
  type CallIntake,
  callOutputContext,
  agentCallKind,
} from "@crosszone/agent-calls";
import type { AgentResult, AgentTask, ZoneError } from "@crosszone/contracts";
import { jobStates, storeArrival } from "@crosszone/jobs";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import { createRecordCodec, openedHere, type Vault } from "@crosszone/service-kit";
import { noLonger, waited } from "@crosszone/service-kit/timing";
import { retryTransient } from "@crosszone/sql";
import type { Workflows } from "@crosszone/workflow";
import { type ZoneJobs, zoneUnavailable } from "../../store/open-execution-database.ts";
import { isUnwanted, type TaskIds } from "../agent.ts";

/** Returns the error that replaces a result that was modified. */
function unreadable(id: string): AgentResult {
  const message = "the stored result was modified and can't be decrypted";
  const error = { kind: "internal", message, retryable: false } as const;
  const failed = { status: "FAILURE", output_data: null, error_message: message, error } as const;
  return { run_id: id, task_id: id, correlation_id: id, timestamp: new Date(0).toISOString(), ...failed };
}

/** A bridge ends its calls at their deadline. A call without a result this much later has reached no bridge, milliseconds. */
const undeliveredMs = 400;

/** The value of the header `reply-to` of calls whose result a task waits for. */
const repliesToTask = "execution";

export type TaskCalls = ReturnType<typeof createTaskCalls>;

export interface TaskCallsDeps {
  readonly intake: CallIntake;
  readonly jobs: ZoneJobs;
  /** Decrypts results. */
  readonly vault: Vault | undefined;
  /** Timeout of a task without deadline, milliseconds. */
  readonly deadlineMs: number;
  /** An operation of the database failed. It is retried, or the deadline makes up for it. */
  readonly onFailure: (operation: "cancel", cause: unknown) => void;
}

export function createTaskCalls({ intake, jobs, vault, deadlineMs, onFailure }: TaskCallsDeps) {
  const codec = createRecordCodec(vault);
  const canceling = new Set<Promise<void>>();
  const resultOf = (id: string, output: string): AgentResult =>
    (openedHere(() => codec.fromColumn(output, callOutputContext(id))) as AgentResult | undefined) ?? unreadable(id);

  /** Cancels a task's call, in whichever process it runs. Never throws. */
  const cancel = ({ task_id, correlation_id }: TaskIds, reason: string): void => {
    const done = retryTransient(() => intake.cancel({ run_id: task_id, task_id, correlation_id }, reason))
      .catch((cause: unknown) => onFailure("cancel", cause))
      .finally(() => canceling.delete(done));
    canceling.add(done);
  };

  /** Cancels a call that no bridge has taken until after its deadline, and rejects: its agent was not asked. */
  async function rejectUndelivered(task: AgentTask, leftMs: number, signal: AbortSignal): Promise<never> {
    const isLate = await waited(leftMs + undeliveredMs, signal);
    const call = isLate ? await jobs.store.find(callId(task)).catch(() => undefined) : undefined;
    const isReady = call?.state === jobStates.ready && call.attempt === 0;
    if (!isReady && call?.state !== jobStates.waiting) return new Promise(() => undefined);
    cancel(task, "timeout");
    throw zoneUnavailable(
      isReady ? "the call of the agent waited for a free place" : "no result of the agent came over Kafka",
    );
  }

  return {
    /**
     * Stores a call of an agent and waits for its result, which may exist if the task ran before. Rejects with the signal's reason. The call
     * then continues, unless the reason is `canceled` or `timeout`. Rejects with `zone_unavailable` when no bridge took the call until its
     * deadline.
     */
    call: async (
      task: AgentTask,
      signal: AbortSignal,
      about: {
        /** The task whose agent makes this call, if it is not the call of a task itself. */
        readonly parent?: string;
        /** See `taskHeaders`. */
        readonly headers?: CallHeaders;
        /** Called when the call is stored: whether it runs in this process from its beginning. */
        readonly onStored?: (runsHere: boolean) => void;
      } = {},
    ): Promise<AgentResult> => {
      const { parent = task.task_id, onStored } = about;
      const headers = { "reply-to": repliesToTask, ...about.headers };
      const call = { task, parent, deadlineMs: deadlineMsOf(task, deadlineMs), headers };
      const id = callId(task);
      const enter = async (): Promise<boolean> => {
        const arrival = await intake.enter(call);
        const { job } = arrival;
        // Its task is durable, and stores it again.
        const isNew = await storeArrival(arrival, () => jobs.store.add(job, { unflushed: true }));
        onStored?.(isNew && job.as === "leased");
        return isNew;
      };
      const child = { id, kind: agentCallKind, enter, read: (output: string) => resultOf(id, output) };
      const ended = new AbortController();
      const until = AbortSignal.any([signal, ended.signal]);
      try {
        return await Promise.race([jobs.child(child, until), rejectUndelivered(task, call.deadlineMs, until)]);
      } finally {
        ended.abort(noLonger);
        if (signal.aborted && isUnwanted(signal.reason)) cancel(task, (signal.reason as ZoneError).kind);
      }
    },
    cancel,
    /** Finishes pending cancellations. */
    stop: async (): Promise<void> => void (await Promise.all(canceling)),
  };
}

/**
 * Returns the headers of all messages of a task: the digest of its team, its trace and how often its question is passed on. `follows`: the
 * call sends nothing, and follows the open task. https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function taskHeaders(task: {
  readonly team?: string;
  readonly traceparent?: string;
  readonly hops?: number;
  readonly follows?: boolean;
}) {
  const { team, traceparent, hops, follows = false } = task;
  const headers: Record<string, string> = {};
  if (team !== undefined) headers["data-owner"] = team;
  if (traceparent !== undefined) headers["traceparent"] = traceparent;
  if (hops !== undefined) headers["hops"] = String(hops + 1);
  if (follows) headers["follows"] = "true";
  return headers;
}

/** The value of the header `reply-to` of calls of workflow steps. */
const repliesToRun = "workflow";

export interface CallEndsDeps {
  readonly jobs: ZoneJobs;
  /** Receives the ends of steps' calls. */
  readonly runs: Pick<Workflows, "endCall" | "handOver">;
  readonly advancesRuns: boolean;
  /** Publishes results; absent without Kafka. */
  readonly gateway?: Pick<KafkaGateway, "publishResult">;
}

/** Creates the zone's ends of agent calls: their results go to tasks, to runs, or to Kafka. */
export function createCallEnds(deps: CallEndsDeps): CallEnds {
  const { jobs, runs, advancesRuns, gateway } = deps;
  return {
    end: async (call, end) => {
      const { "reply-to": receiver } = call.headers;
      if (gateway !== undefined) {
        const isEnded = await gateway.publishResult(end.ending, end.result, call.headers);
        // It needs not wait for the message.
        if (isEnded && receiver === repliesToTask) jobs.deliver(call.leaseId.id, end.result);
        return isEnded;
      }
      // The end of the task itself follows that of its own call; the task of a tool's call goes on.
      if (receiver === repliesToTask)
        return jobs.endChild(end.ending, end.result, call.parent === call.task.task_id ? call.parent : undefined);
      if (receiver === repliesToRun) return advancesRuns ? runs.endCall(end) : runs.handOver(end);
      const [isEnded = false] = await jobs.store.end([end.ending]);
      return isEnded;
    },
  };
}
