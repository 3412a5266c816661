import { retryUntilStored } from "../store/job-ends.ts";
import type { LeasedJob } from "../table/job.ts";
import type { DropReason } from "../observer/job-observer.ts";
import type { JobKind, JobRun } from "../worker/job-worker.ts";
import type { JobStore } from "../store/job-store.ts";
import type { TestColumn } from "./open-jobs.ts";

/** A run that a test controls. */
export interface TestRun {
  readonly id: string;
  readonly share: string;
  readonly attempt: number;
  /** Ends the job. */
  readonly finish: () => void;
  droppedFor: DropReason | undefined;
}

export interface TestKind {
  readonly kind: JobKind<TestColumn>;
  /** All runs so far, in the order of their start. */
  readonly runs: TestRun[];
  /** Starts a run of a job that was stored as leased. */
  readonly begin: (id: string, share: string) => () => JobRun;
}

export interface TestKindOptions {
  readonly room?: number;
  /** Room of each share. */
  readonly free?: number;
  readonly onlyWaits?: boolean;
}

/** A kind whose jobs run until the test ends them. */
export function createTestKind(
  store: Pick<JobStore<TestColumn>, "end">,
  { room = 100, free = 100, onlyWaits = false }: TestKindOptions = {},
): TestKind {
  const runs: TestRun[] = [];
  const used = new Map<string, number>();
  const count = (): number => [...used.values()].reduce((sum, one) => sum + one, 0);

  function run({ id, attempt, share }: Pick<LeasedJob, "id" | "attempt" | "share">): JobRun {
    const finished = Promise.withResolvers<boolean>();
    const started: TestRun = { id, share, attempt, finish: () => finished.resolve(true), droppedFor: undefined };
    runs.push(started);
    const abandoned = new AbortController();
    let isEnding = false;
    async function work(): Promise<void> {
      if (!(await finished.promise)) return;
      isEnding = true;
      const ending = [{ leaseId: { id, attempt }, end: { outcome: "done", output: null } }];
      await retryUntilStored({ store: () => store.end(ending), onFailure: () => false, signal: abandoned.signal });
    }
    return {
      id,
      attempt,
      drop: (why) => {
        started.droppedFor = why;
        finished.resolve(false);
      },
      get isEnding() {
        return isEnding;
      },
      abandon: () => abandoned.abort(),
      onlyWaits,
      worked: finished.promise.then(() => undefined),
      ended: work(),
    };
  }

  const left = (share: string): number => Math.min(room - count(), free - (used.get(share) ?? 0));
  const kind: JobKind<TestColumn> = {
    kind: "test",
    room: () => room - count(),
    free: left,
    reserve: (share) => {
      if (left(share) <= 0) return undefined;
      used.set(share, (used.get(share) ?? 0) + 1);
      return () => used.set(share, (used.get(share) ?? 0) - 1);
    },
    run,
  };
  return { kind, runs, begin: (id, share) => () => run({ id, attempt: 1, share }) };
}
