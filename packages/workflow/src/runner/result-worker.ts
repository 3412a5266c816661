import type { AgentResult } from "@crosszone/contracts";
import {
  agentResultKind,
  callOutputContext,
  createJobWorker,
  retryUntilStored,
  type EndingJob,
  type ExecutionColumn,
  type JobKind,
  type JobLease,
  type JobRun,
  type JobStore,
  type JobWorker,
  type LeasedJob,
} from "@crosszone/jobs";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import { isTransient } from "@crosszone/sql";
import { isoTime } from "@crosszone/service-kit/text";
import type { EndLeased } from "./end-calls.ts";
import type { CanceledTask } from "./run-turn.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";

export interface ResultWorkerDeps {
  readonly jobs: JobStore<ExecutionColumn>;
  readonly lease: Pick<JobLease, "leaseMs">;
  readonly codec: RecordCodec;
  readonly endLeased: EndLeased;
  readonly observer: Pick<WorkflowObserver, "resultUnreadable" | "storeFailed">;
}

type Job = LeasedJob<ExecutionColumn>;

/** Maximum number of results processed concurrently. They share writes, so many cost little more than one. */
const concurrency = 200;

/** How often a result that can't be read or applied is tried, by any process. */
const mostAttempts = 5;

/** Pause before another attempt, milliseconds. */
const retryAfterMs = 1_000;

/** Creates the worker that applies results which other processes stored. */
export function createResultWorker({ jobs, lease, codec, endLeased, observer }: ResultWorkerDeps): JobWorker {
  let running = 0;

  function reserve(): (() => void) | undefined {
    if (running >= concurrency) return undefined;
    running += 1;
    return () => void (running -= 1);
  }

  const again = (job: Job): Promise<void> => jobs.release([job], { counted: true, afterMs: retryAfterMs });

  async function apply(job: Job, signal: AbortSignal): Promise<void> {
    const isLast = job.attempt >= mostAttempts;
    const result = open(job, isLast);
    if (result === undefined) return again(job);
    const ending = endingOf(job, result);
    let isBroken = false;
    const onFailure = (cause: unknown): boolean => {
      observer.storeFailed("end", cause);
      return (isBroken = !isTransient(cause));
    };
    await retryUntilStored({ store: () => endLeased(result, ending, job.attempt > 1), onFailure, signal });
    if (!isBroken) return;
    if (isLast) await jobs.end([ending]);
    else await again(job);
  }

  /** Returns undefined if no key of this process decrypts the result; a failure when that is so for the last time. */
  function open({ id, record, output }: Job, isLast: boolean): AgentResult | undefined {
    try {
      return codec.fromColumn(output ?? "", callOutputContext(id)) as AgentResult;
    } catch (cause) {
      if (!(cause instanceof SealedTextError)) throw cause;
      observer.resultUnreadable(id, cause);
      return isLast ? unreadable(record) : undefined;
    }
  }

  function run(job: Job): JobRun {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    const failed = (cause: unknown): void => observer.storeFailed("end", cause);
    const ended = apply(job, stopping.signal).catch(failed);
    // The store checks the lease.
    return { id: job.id, attempt: job.attempt, isEnding: true, drop: stop, abandon: stop, ended };
  }

  const room = (): number => concurrency - running;
  const kind: JobKind<ExecutionColumn> = { kind: agentResultKind, room, free: room, reserve, run };
  return createJobWorker({ store: jobs, lease, kind, observer });
}

function endingOf(
  { id, attempt, output, error_kind, agent_attempts }: Job,
  { status }: AgentResult,
): EndingJob<ExecutionColumn> {
  const outcome = status === "SUCCESS" ? "succeeded" : "failed";
  return { leaseId: { id, attempt }, end: { outcome, output, own: { error_kind, agent_attempts } } };
}

function unreadable(record: string): AgentResult {
  const { run_id, task_id, correlation_id } = (JSON.parse(record) as { readonly task: CanceledTask }).task;
  const error_message = "The agent's answer can no longer be read: the key that encrypted it is missing.";
  const timestamp = isoTime(Date.now());
  return { run_id, task_id, correlation_id, timestamp, status: "FAILURE", output_data: null, error_message };
}
