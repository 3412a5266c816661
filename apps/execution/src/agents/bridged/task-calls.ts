import { deadlineMsOf } from "@crosszone/agent-bridge";
import {
  type CallEnding,
  type CallEnds,
  type CallHeaders,
  callId,
  type CallIntake,
  callOutputContext,
  type EndingCall,
  type ExecutionColumn,
  type ExecutionJobTables,
  type NewAgentCall,
} from "@crosszone/agent-calls";
import type { AgentResult, AgentTask, ZoneError } from "@crosszone/contracts";
import { jobStates, type JobStore, storeArrival } from "@crosszone/jobs";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import { createRecordCodec, opened, type Vault } from "@crosszone/service-kit";
import { type Database, retryTransient } from "@crosszone/sql";
import type { Workflows } from "@crosszone/workflow";
import { sql } from "kysely";
import { EndWatch } from "../../store/end-watch.ts";
import { isUnwanted, type TaskIds } from "../agent.ts";

/** Reads calls by their ids: the result of each that has ended, `open` for the others. Those that don't exist are absent. */
export type ReadCalls = (ids: readonly string[]) => Promise<ReadonlyMap<string, AgentResult | "open">>;

export function createReadCalls({ db }: Database<ExecutionJobTables>, vault: Vault | undefined): ReadCalls {
  const codec = createRecordCodec(vault);
  const resultOf = (id: string, output: string): AgentResult =>
    (opened(() => codec.fromColumn(output, callOutputContext(id))) as AgentResult | undefined) ?? unreadable(id);
  return async (ids) => {
    if (ids.length === 0) return new Map();
    // An open call can have its result while this waits to be published.
    const output = sql<string | null>`case when state = ${sql.lit(jobStates.ended)} then output end`;
    const calls = db
      .selectFrom("job")
      .select(["id", output.as("output")])
      .where("id", "in", ids);
    const rows = await calls.execute();
    return new Map(rows.map(({ id, output: text }) => [id, text === null ? "open" : resultOf(id, text)]));
  };
}

/** Returns the error that replaces a result whose key is missing, so that other results can still be read. */
function unreadable(id: string): AgentResult {
  const message = "the encryption key of the result is missing";
  const error = { kind: "internal", message, retryable: false } as const;
  const failed = { status: "FAILURE", output_data: null, error_message: message, error } as const;
  return { run_id: id, task_id: id, correlation_id: id, timestamp: new Date(0).toISOString(), ...failed };
}

/** The value of the header `reply-to` of calls whose result a task waits for. */
const repliesToTask = "execution";

/** What belongs to a call besides its task. */
export interface TaskCallOptions {
  /** The task whose agent makes this call, if it is not the call of a task itself. */
  readonly parent?: string;
  /** See `taskHeaders`. */
  readonly headers?: CallHeaders;
  /** Called when the call is stored: whether it runs in this process from its beginning. */
  readonly onStored?: (runsHere: boolean) => void;
}

export type TaskCalls = ReturnType<typeof createTaskCalls>;

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

export function createTaskCalls({ intake, jobs, read, deadlineMs, onFailure }: TaskCallsDeps) {
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

  async function enter(call: NewAgentCall, onStored?: TaskCallOptions["onStored"]): Promise<void> {
    const arrival = await intake.enter(call);
    const { job } = arrival;
    // Its task is durable, and stores it again.
    const isNew = await storeArrival(arrival, () => jobs.add(job, { unflushed: true }));
    onStored?.(isNew && job.as === "leased");
    // The task ran before, and its call may have ended.
    if (!isNew) watch.readSoon();
  }

  /** Cancels a task's call, in whichever process it runs. Never throws. */
  const cancel = ({ task_id, correlation_id }: TaskIds, reason: string): void => {
    const done = retryTransient(() => intake.cancel({ run_id: task_id, task_id, correlation_id }, reason))
      .catch((cause: unknown) => onFailure("cancel", cause))
      .finally(() => canceling.delete(done));
    canceling.add(done);
  };

  return {
    /**
     * Stores a call of an agent and waits for its result, which may exist if the task ran before. Rejects with the signal's reason. The call
     * then continues, unless the reason is `canceled` or `timeout`.
     */
    call: async (task: AgentTask, signal: AbortSignal, about: TaskCallOptions = {}): Promise<AgentResult> => {
      const { parent = task.task_id, onStored } = about;
      const headers = { "reply-to": repliesToTask, ...about.headers };
      const call = { task, parent, deadlineMs: deadlineMsOf(task, deadlineMs), headers };
      const id = callId(task);
      const over = new AbortController();
      // Started before the call is stored, because its result may come at once.
      const waited = watch.waitFor(id, AbortSignal.any([signal, over.signal]));
      waited.catch(() => undefined);
      try {
        const onRetry = (error: unknown): void => onFailure("send", error);
        await retryTransient(() => enter(call, onStored), { budgetMs: Infinity, signal, onRetry });
        stored.set(id, call);
        return await waited;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        over.abort();
        if (stored.get(id) === call) stored.delete(id);
        if (signal.aborted && isUnwanted(signal.reason)) cancel(task, (signal.reason as ZoneError).kind);
      }
    },
    cancel,
    /** Gives a result to the task that waits for it in this process. Returns whether one does. */
    deliver: (result: AgentResult): boolean => watch.deliver(callId(result), result),
    /** Calls may have ended elsewhere. */
    readSoon: (): void => watch.readSoon(),
    /** Finishes pending cancellations. */
    stop: async (): Promise<void> => void (await Promise.all(canceling)),
  };
}

/**
 * Returns the headers of all messages of a task: the digest of its team, its trace and how often its question is passed on.
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function taskHeaders(task: { readonly team?: string; readonly traceparent?: string; readonly hops?: number }) {
  const { team, traceparent, hops } = task;
  const headers: Record<string, string> = {};
  if (team !== undefined) headers["data-owner"] = team;
  if (traceparent !== undefined) headers["traceparent"] = traceparent;
  if (hops !== undefined) headers["hops"] = String(hops + 1);
  return headers;
}

/** The value of the header `reply-to` of calls of workflow steps. */
const repliesToRun = "workflow";

export interface CallEndsDeps {
  readonly store: JobStore<ExecutionColumn>;
  /** Gives a result to the task that waits for it in this process. Returns whether one does. */
  readonly deliverToTask: (result: AgentResult) => boolean;
  /** Receives the ends of steps' calls. */
  readonly runs: Pick<Workflows, "endCall" | "handOver">;
  readonly advancesRuns: boolean;
  /** Publishes results; absent without Kafka. */
  readonly gateway?: Pick<KafkaGateway, "publishResult">;
}

/** Creates the zone's ends of agent calls: their results go to tasks, to runs, or to Kafka. */
export function createCallEnds(deps: CallEndsDeps): CallEnds {
  const { store, deliverToTask, runs, advancesRuns, gateway } = deps;

  async function endForTask({ task, parent }: EndingCall, { result, ending }: CallEnding): Promise<boolean> {
    // The task goes on before the end of its call is durable: after a power loss, both run again.
    const waitsHere = deliverToTask(result);
    // The end of the task itself follows; the task of a tool's call goes on.
    if (waitsHere && parent === task.task_id) return store.endChild(parent, ending);
    return first(await store.end([{ ...ending, notifies: !waitsHere }]));
  }

  return {
    end: async (call, end) => {
      const { "reply-to": receiver } = call.headers;
      if (gateway !== undefined) {
        const isEnded = await gateway.publishResult(end.ending, end.result, call.headers);
        // It needs not wait for the message.
        if (isEnded && receiver === repliesToTask) deliverToTask(end.result);
        return isEnded;
      }
      if (receiver === repliesToTask) return endForTask(call, end);
      if (receiver === repliesToRun) return advancesRuns ? runs.endCall(end) : runs.handOver(end);
      return first(await store.end([end.ending]));
    },
  };
}

const first = ([isEnded = false]: readonly boolean[]): boolean => isEnded;
