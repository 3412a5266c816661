import { setTimeout as delay } from "node:timers/promises";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import { backoffMs } from "@crosszone/service-kit/timing";
import type { JobLease } from "../store/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeaseId } from "../table/job-tables.ts";
import { type DropReason, type End, type Ending, JobDropped, type JobEvent, type JobKind } from "./job-kind.ts";

/** The work on a job that this process has leased. */
interface JobRun extends LeaseId {
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

interface StartJobDeps<Own extends string, Job extends LeaseId> {
  readonly kind: JobKind<Own, Job>;
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  readonly emit?: Emit<JobEvent>;
  /** Receives failures to store an end. */
  readonly failed: (operation: "end", cause: unknown) => void;
}

/** Works on a leased job and stores its end, unless the job is dropped before. Does not wait for work that ignores its signal. */
function startJob<Own extends string, Job extends LeaseId>(deps: StartJobDeps<Own, Job>, job: Job): JobRun {
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
  const worked = Promise.race([working.catch(leaveToOthers), dropped.promise]);
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

/** How long a job is left to processes that have its key, milliseconds. It varies, so that each process gets its turn. */
export const leaveMs = (): number => 500 + Math.random() * 1_000;

/** Returns the end of work that needs a key which this process lacks. It costs no attempt. */
function leaveToOthers(cause: unknown): { readonly release: { readonly counted: false; readonly afterMs: number } } {
  if (isKeyMissing(cause)) return { release: { counted: false, afterMs: Math.round(leaveMs()) } };
  throw cause;
}

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

/** Stores an end as soon as the store accepts it. Once `signal` is aborted, the current attempt is the last one. */
async function storeEnd<Own extends string, Job extends LeaseId>(
  { store, lease, failed }: StartJobDeps<Own, Job>,
  job: Job,
  {
    ending,
    reports,
    signal,
  }: { readonly ending: End<Own>; readonly reports: ReturnType<typeof reportsOf>; readonly signal: AbortSignal },
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
  if ("remove" in ending) return store.lanes.remove({ id, attempt, lane }, ending.also);
  if ("park" in ending) return store.lanes.park({ id, attempt, lane: lane ?? "" }, ending.park, ending.also);
  const leaseId = { id, attempt };
  if ("end" in ending) return (await store.end([{ leaseId, end: ending.end }], ending.also))[0] ?? false;
  const { release, set, also } = ending;
  if (set !== undefined && !(await store.set(leaseId, set, also))) return false;
  return (await store.release([leaseId], release))[0] ?? false;
}

interface RunningJobsDeps<Own extends string, Job extends LeaseId> extends StartJobDeps<Own, Job> {
  /** An operation of the store failed, and is repeated. */
  readonly failed: (operation: "release" | "end", cause: unknown) => void;
  /** Whether the process stops, so that no job may start. */
  readonly isStopping: () => boolean;
  /** Called when work that ended has freed its room. */
  readonly onFreed: () => void;
}

/** Ends that are being stored while more work begins. */
const mostEnding = 100;

/** The runs of one kind in this process. */
export function createRunningJobs<Own extends string, Job extends LeaseId>(deps: RunningJobsDeps<Own, Job>) {
  const { store, failed, isStopping, onFreed } = deps;
  const runs = new Map<string, JobRun>();
  let ending = 0;

  /** Frees room when the work is done, unless many ends wait for the database: then when this one is stored. */
  async function freeRoom(run: JobRun, free: () => void): Promise<void> {
    await run.worked;
    ending += 1;
    if (ending > mostEnding) await run.ended;
    free();
    onFreed();
    await run.ended;
    ending -= 1;
  }

  async function release(leases: readonly LeaseId[], afterMs = 0): Promise<void> {
    if (leases.length === 0) return;
    await store.release(leases, { counted: false, afterMs }).catch((cause: unknown) => failed("release", cause));
  }

  /** Stops the work on a job, unless its end is being stored. */
  function drop(run: JobRun, reason: DropReason): void {
    if (!run.isEnding) run.drop(reason);
  }

  async function abandon(open: readonly JobRun[], afterMs?: number): Promise<void> {
    const released = open.filter(({ isEnding, stop }) => !isEnding && stop === undefined);
    for (const run of open) {
      if (released.includes(run)) drop(run, "stopping");
      else run.stop?.();
      run.abandon();
    }
    await release(released, afterMs);
  }

  return {
    runs: runs as ReadonlyMap<string, JobRun>,
    /** Starts a leased job; releases it when it runs already or the process stops. `free` is called when its room is free. */
    start: (job: Job, free: () => void): void => {
      if (isStopping() || runs.has(job.id)) {
        // Takes nothing at once: it would lease the same job again and again.
        free();
        void release([job]);
        return;
      }
      const run = startJob(deps, job);
      runs.set(job.id, run);
      void run.ended.finally(() => {
        if (runs.get(job.id) === run) runs.delete(job.id);
      });
      void freeRoom(run, free);
    },
    drop,
    release,
    /**
     * Lets jobs end within `graceMs` milliseconds, then drops and releases the others, and ends those that must not run a second time. Other
     * processes may take released ones after `afterMs`.
     */
    endAll: async (graceMs: number, afterMs: number | undefined): Promise<void> => {
      const all = (): readonly JobRun[] => [...runs.values()];
      const allEnded = (): Promise<unknown> => Promise.all(all().map(({ ended }) => ended));
      await abandon(all().filter(({ onlyWaits, isEnding }) => onlyWaits && !isEnding));
      await Promise.race([allEnded(), delay(graceMs, undefined, { ref: false })]);
      await abandon(all(), afterMs);
      await allEnded();
    },
  };
}

export type RunningJobs<Job extends LeaseId = LeaseId> = ReturnType<typeof createRunningJobs<never, Job>>;
