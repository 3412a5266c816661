import { type AgentResult, isRunId } from "@crosszone/contracts";
import {
  agentResultKind,
  callOutputContext,
  type ExecutionColumn,
  callId,
  type CallEnding,
} from "@crosszone/agent-calls";
import {
  createRoom,
  type End,
  type Arrival,
  type EndingJob,
  type JobEnd,
  type JobKind,
  type JobStore,
  type JobWorker,
  type LeasedJob,
  type LeaseId,
  type ProcessJobs,
} from "@crosszone/jobs";
import { type Emit, isKeyMissing, SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { isTransient, outageOf, retryBriefly } from "@crosszone/sql";
import { isoTime } from "@crosszone/service-kit/text";
import type { ApplyEvent } from "./apply-event.ts";
import type { RetryEvent } from "./run-timer.ts";
import type { RunInputRecord, TaskOfRun } from "./turn.ts";

/** Returns the functions that apply results of calls to their runs. */
export function createEndCalls(deps: {
  readonly jobs: JobStore<ExecutionColumn>;
  readonly apply: ApplyEvent;
  readonly retry: RetryEvent;
  /** Results wait in this database. */
  readonly onHandedOver: () => void;
}) {
  const { jobs, apply, retry, onHandedOver } = deps;

  const endLeased: EndLeased = async (result, ending, isRetry) => {
    const { leaseId, end } = ending;
    const event = { type: "result_received", result, call: { ...leaseId, end } } as const;
    const applied = await (isRetry ? retry : apply)(result.run_id, event);
    if (applied?.hasChanged === true) return true;
    // Late, repeated or lost: nothing waits for it.
    const [isEnded] = await jobs.end([ending]);
    return isEnded ?? false;
  };

  /** The count of leases restarts: the first is the first attempt to apply the result. `isRetry`: it may have crashed a process. */
  const handOver = ({ leaseId, end }: EndingJob<ExecutionColumn>, isRetry: boolean): Promise<boolean> => {
    const attempt = Number(isRetry);
    return jobs.passOn(leaseId, end, { kind: agentResultKind, share: agentResultKind, as: "ready", attempt });
  };

  return {
    /**
     * Applies the result of a step's call that this process leases, and ends the call, in one change. Only in processes that
     * advance runs. Resolves with false when the call was lost: then nothing is stored. While the database is unreachable, it
     * retries for a second, then rejects with its error.
     */
    endCall: async ({ result, ending }: CallEnding): Promise<boolean> => {
      try {
        if (ending.leaseId.attempt === 1) return await retryBriefly(() => endLeased(result, ending, false));
      } catch (error) {
        if (isTransient(error)) throw error;
      }
      // The result may have crashed a process, or the run can't be advanced. It is stored first, so that the agent is not called
      // once more if this process crashes too.
      const isStored = await handOver(ending, true);
      if (isStored) onHandedOver();
      return isStored;
    },

    /** Like `endCall`, for processes that do not advance runs: stores the result for one that does. */
    handOver: ({ ending }: CallEnding): Promise<boolean> => handOver(ending, false),

    endLeased,
  };
}

/** Applies a result that waited in this database, and ends its call. `isRetry`: it may have crashed a process before. */
type EndLeased = (result: AgentResult, ending: EndingJob<ExecutionColumn>, isRetry: boolean) => Promise<boolean>;

type Job = LeaseId &
  Pick<LeasedJob<ExecutionColumn>, "output" | "error_kind" | "agent_attempts"> &
  Partial<Pick<LeasedJob<ExecutionColumn>, "record">>;

/** Lets a result that came from outside this database arrive: its call becomes a job here. Returns undefined for results of other senders. */
type EnterResult = (result: AgentResult, end: JobEnd<ExecutionColumn>) => EnteredResult | undefined;

type EnteredResult = Arrival & { readonly kind: typeof agentResultKind };

export const createEnterResult =
  (worker: JobWorker<Job>): EnterResult =>
  (result, { output, own }) => {
    const { run_id, task_id } = result;
    // Filter by the form of task ids, so that results of other senders cost no query.
    if (!isRunId(run_id) || !task_id.startsWith(`${run_id}.`)) return undefined;
    const { error_kind = null, agent_attempts = null } = own ?? {};
    const job = { id: callId(result), attempt: 1, output, error_kind, agent_attempts };
    return { ...worker.enter(agentResultKind, () => job), kind: agentResultKind };
  };

/** Maximum number of results processed concurrently. They share writes, so many cost little more than one. */
const concurrency = 200;

/** How often a result that can't be read or applied is tried, by any process. */
const mostAttempts = 5;

/** Pause before another attempt, milliseconds. */
const retryAfterMs = 1_000;

/** Creates the worker that applies results which other processes stored. */
export function createResultWorker(
  jobs: ProcessJobs<ExecutionColumn>,
  {
    codec,
    endLeased,
    emit,
  }: { readonly codec: RecordCodec; readonly endLeased: EndLeased; readonly emit: Emit<ExecutionEvent> },
): JobWorker<Job> {
  const failed = (operation: string, cause: unknown): void => emit("run_results_failed", { operation, cause });

  function endOf(job: Job): End<ExecutionColumn> {
    const isLast = job.attempt >= mostAttempts;
    const result = open(job, isLast);
    return result === undefined ? again : endOfStep(job, result, endLeased);
  }

  /** Returns undefined if the result was modified; a failure when that is so for the last time. Throws if its key is missing. */
  function open({ id, record, output }: Job, isLast: boolean): AgentResult | undefined {
    try {
      return codec.fromColumn(output ?? "", callOutputContext(id)) as AgentResult;
    } catch (cause) {
      if (!(cause instanceof SealedTextError) || isKeyMissing(cause)) throw cause;
      emit("run_result_unreadable", { call_id: id, cause });
      return isLast && record !== undefined ? unreadable(record) : undefined;
    }
  }

  const kind = { kind: agentResultKind, ...createRoom(concurrency), read: (job: Job) => job };
  return jobs.workOn({ ...kind, run: async (job: Job) => endOf(job) }, failed);
}

const again: End<ExecutionColumn> = { release: { counted: true, afterMs: retryAfterMs } };

/** Returns the end of a job of a step: its result is applied to the run in the same change. */
function endOfStep(job: Job, result: AgentResult, endLeased: EndLeased): End<ExecutionColumn> {
  const ending = endingOf(job, result);
  const unapplied: End<ExecutionColumn> = { end: ending.end };
  return {
    outcome: ending.end.outcome,
    store: () => endLeased(result, ending, job.attempt > 1),
    instead: (cause) => (outageOf(cause) ? undefined : job.attempt >= mostAttempts ? unapplied : again),
  };
}

/** How a step ended: with its output, any JSON, or with a sentence that says why it failed. */
export type StepResult = { readonly output: unknown } | { readonly failure: string };

/** How many jobs of steps are looked at in this process at the same time, for each kind: a tree has a tenth, a caller half. */
const looks = [40, { ofShare: 4, ofGroup: 20 }] as const;

/** Looks at the job of a step. Returns how the step ended, or how else the job goes on. */
type LookAtStep = (job: LeasedJob<ExecutionColumn>, task: TaskOfRun) => Promise<StepResult | End<ExecutionColumn>>;

/** Returns a function that makes a kind of jobs whose results are those of steps. */
export function createStepKind({ codec, endLeased }: { readonly codec: RecordCodec; readonly endLeased: EndLeased }) {
  return (kind: string, look: LookAtStep): JobKind<ExecutionColumn> => ({
    kind,
    ...createRoom(...looks),
    read: (row) => row,
    run: async (job) => {
      const { task } = JSON.parse(job.record) as RunInputRecord;
      const end = await look(job, task);
      if (!("output" in end) && !("failure" in end)) return end;
      const result = stepResultOf(task, end);
      const output = codec.toColumn(result, callOutputContext(job.id));
      return endOfStep({ ...job, output, error_kind: null, agent_attempts: null }, result, endLeased);
    },
  });
}

/** Returns the result of a task, as an agent's. */
export function stepResultOf({ run_id, task_id, correlation_id }: TaskOfRun, end: StepResult): AgentResult {
  const ids = { run_id, task_id, correlation_id, timestamp: isoTime(Date.now()) };
  return "failure" in end
    ? { ...ids, status: "FAILURE", output_data: null, error_message: end.failure }
    : { ...ids, status: "SUCCESS", output_data: end.output ?? null, error_message: null };
}

function endingOf(
  { id, attempt, output, error_kind, agent_attempts }: Job,
  { status }: AgentResult,
): EndingJob<ExecutionColumn> {
  const outcome = status === "SUCCESS" ? "succeeded" : "failed";
  return { leaseId: { id, attempt }, end: { outcome, output, own: { error_kind, agent_attempts } } };
}

function unreadable(record: string): AgentResult {
  const failure = "The agent's stored answer was modified and can't be decrypted.";
  return stepResultOf((JSON.parse(record) as RunInputRecord).task, { failure });
}
