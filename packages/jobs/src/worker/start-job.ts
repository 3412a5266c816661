import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "@crosszone/service-kit/timing";
import type { JobStore } from "../store/job-store.ts";
import type { LeaseId } from "../table/job.ts";
import { type DropReason, type End, JobDropped, type JobKind } from "./job-kind.ts";

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
  readonly kind: Pick<JobKind<Own, Job>, "run" | "lost">;
  readonly store: Pick<JobStore, "lost">;
  /** Receives the failures of `End.store`. */
  readonly failed: (operation: "end", cause: unknown) => void;
}

/** Works on a leased job and stores its end, unless the job is dropped before. Does not wait for work that ignores its signal. */
export function startJob<Own extends string, Job extends LeaseId>(deps: StartJobDeps<Own, Job>, job: Job): JobRun {
  const { kind, failed } = deps;
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
      kind.lost?.(job, why);
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
    onlyWaits: () => void (run.onlyWaits = true),
    runsOnce: (stop) => void (run.stop = stop),
  });
  const worked = Promise.race([working, dropped.promise]);
  const end = async (): Promise<void> => {
    const ending = await worked;
    if (ending === undefined || dropping.signal.aborted) return;
    run.isEnding = true;
    await storeEnd(deps, job, { ending, signal: abandoned.signal });
  };
  run.worked = worked.catch(() => undefined);
  // Its lease shows that nobody works on it: it is released as a stray.
  run.ended = end().catch((cause: unknown) => failed("end", cause));
  return run;
}

const backoff = { firstMs: 50, longestMs: 2_000 };

/** Stores an end as soon as the store accepts it. Once `signal` is aborted, the current attempt is the last one. */
async function storeEnd<Own extends string, Job extends LeaseId>(
  { kind, store, failed }: StartJobDeps<Own, Job>,
  job: Job,
  { ending, signal }: { readonly ending: End; readonly signal: AbortSignal },
): Promise<void> {
  let end = ending;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (await end.store()) break;
      const [lost] = await store.lost([job]);
      return kind.lost?.(job, lost?.outcome === "canceled" ? "canceled" : "taken_over");
    } catch (cause) {
      failed("end", cause);
      if (signal.aborted) return kind.lost?.(job, "not_stored", cause);
      end = end.instead?.(cause) ?? end;
    }
    await delay(backoffMs(backoff, attempt), undefined, { signal }).catch(() => undefined);
  }
  end.stored?.();
}
