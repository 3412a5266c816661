import { setTimeout as delay } from "node:timers/promises";
import type { Emit } from "@crosszone/service-kit";
import { backoffMs } from "@crosszone/service-kit/timing";
import type { JobLease } from "../lease/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeaseId } from "../table/job.ts";
import { type DropReason, type End, type Ending, JobDropped, type JobEvent, type JobKind } from "./job-kind.ts";

/** The work on a job that this process has leased. */
export interface JobRun extends LeaseId {
  /** Stops the work without ending the job. */
  readonly drop: (why: DropReason) => void;
  /** The work is done, and its end is being stored. */
  isEnding: boolean;
  /** Makes the current attempt to store the end the last one. */
  readonly abandon: () => void;
  /** See `JobContext.runsOnce`. */
  stop: (() => void) | undefined;
  /** See `JobContext.onlyWaits`. */
  onlyWaits: boolean;
  /** Resolves when the work is done. Never rejects. */
  worked: Promise<unknown>;
  /** Resolves when the end is stored, or nothing is left to do. Never rejects. */
  ended: Promise<void>;
}

export interface StartJobDeps<Own extends string, Job extends LeaseId> {
  readonly kind: JobKind<Own, Job>;
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  readonly emit?: Emit<JobEvent>;
  /** Receives failures to store an end. */
  readonly failed: (operation: "end", cause: unknown) => void;
}

/** Works on a leased job and stores its end, unless the job is dropped before. Does not wait for work that ignores its signal. */
export function startJob<Own extends string, Job extends LeaseId>(deps: StartJobDeps<Own, Job>, job: Job): JobRun {
  const { kind, store, failed } = deps;
  const reports = reportsOf(deps, job);
  const [dropping, abandoned] = [new AbortController(), new AbortController()];
  const dropped = Promise.withResolvers<undefined>();
  const { id, attempt } = job;
  // Members that change are no getters: V8 would keep the closures of each in its old space.
  const run: JobRun = {
    id,
    attempt,
    drop: (why) => {
      if (dropping.signal.aborted) return;
      // First, so that a rejection of the aborted work is not taken for a failure.
      dropped.resolve(undefined);
      dropping.abort(new JobDropped(why));
      reports.lost(why);
    },
    isEnding: false,
    abandon: () => abandoned.abort(),
    stop: undefined,
    onlyWaits: false,
    worked: dropped.promise,
    ended: Promise.resolve(),
  };
  const working = kind.run(job, {
    signal: dropping.signal,
    note: (values) => store.set({ id, attempt }, values),
    onlyWaits: () => void (run.onlyWaits = true),
    runsOnce: (stop) => void (run.stop = stop),
  });
  const worked = Promise.race([working, dropped.promise]);
  const end = async (): Promise<void> => {
    const ending = await worked;
    if (ending === undefined || dropping.signal.aborted) return;
    run.isEnding = true;
    await storeEnd(deps, job, { ending, reports, signal: abandoned.signal });
  };
  run.worked = worked.catch(() => undefined);
  // Its lease shows that nobody works on it: it is released as a stray.
  run.ended = end().catch((cause: unknown) => failed("end", cause));
  return run;
}

const backoff = { firstMs: 50, longestMs: 2_000 };

/** Reports how one attempt at a job ended. */
function reportsOf<Own extends string, Job extends LeaseId>({ kind, emit }: StartJobDeps<Own, Job>, job: Job) {
  const startedAt = performance.now();
  const report = (event: JobEvent, outcome: string): void =>
    emit?.(event, {
      kind_of_job: kind.kind,
      job_id: job.id,
      attempt: job.attempt,
      outcome,
      duration_ms: performance.now() - startedAt,
    });
  return {
    stored: (end: End<string>): void => {
      report(...outcomeOf(end));
      end.stored?.();
    },
    lost: (why: DropReason | "not_stored", cause?: unknown): void => {
      report("job_dropped", why);
      kind.lost?.(job, why, cause);
    },
  };
}

function outcomeOf(ending: Ending<string>): readonly [event: JobEvent, outcome: string] {
  if ("release" in ending) return ["job_released", "released"];
  if ("park" in ending) return ["job_parked", "parked"];
  if ("remove" in ending) return ["job_ended", ending.remove];
  return ["job_ended", "end" in ending ? ending.end.outcome : ending.outcome];
}

interface StoringEnd<Own extends string> {
  readonly ending: End<Own>;
  readonly reports: ReturnType<typeof reportsOf>;
  readonly signal: AbortSignal;
}

/** Stores an end as soon as the store accepts it. Once `signal` is aborted, the current attempt is the last one. */
async function storeEnd<Own extends string, Job extends LeaseId>(
  { store, lease, failed }: StartJobDeps<Own, Job>,
  job: Job,
  { ending, reports, signal }: StoringEnd<Own>,
): Promise<void> {
  let end = ending;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (await storeEnding(store, job, end)) break;
      // No other process can have it yet, so an earlier attempt here succeeded and its response was lost.
      if (attempt > 1 && ("release" in end || "park" in end) && !lease.isOver()) break;
      const [lost] = await store.lost([job]);
      return reports.lost(lost?.outcome === "canceled" ? "canceled" : "taken_over");
    } catch (cause) {
      failed("end", cause);
      if (signal.aborted) return reports.lost("not_stored", cause);
      end = end.instead?.(cause) ?? end;
    }
    await delay(backoffMs(backoff, attempt), undefined, { signal }).catch(() => undefined);
  }
  reports.stored(end);
}

/** Stores what becomes of a job. Resolves with false when this process has lost it. */
async function storeEnding<Own extends string>(
  store: JobStore<Own>,
  { id, attempt, lane }: LeaseId,
  ending: Ending<Own>,
): Promise<boolean> {
  if ("store" in ending) return ending.store();
  if ("remove" in ending) return store.lanes.remove({ id, attempt, lane });
  if ("park" in ending) return store.lanes.park({ id, attempt, lane: lane ?? "" }, ending.park);
  const leaseId = { id, attempt };
  if ("end" in ending) return (await store.end([{ leaseId, end: ending.end }], ending.also))[0] ?? false;
  const { release, set, also } = ending;
  if (set !== undefined && !(await store.set(leaseId, set, also))) return false;
  return (await store.release([leaseId], release))[0] ?? false;
}
