import type { LeasedJob } from "../table/job-tables.ts";
import type { JobContext, DropReason, End, JobKind } from "../worker/job-kind.ts";
import type { JobStore } from "../store/job-store.ts";
import type { TestColumn } from "./open-jobs.ts";

/** A run that a test controls. */
interface TestRun {
  readonly id: string;
  readonly share: string;
  readonly attempt: number;
  readonly note: JobContext<TestColumn>["note"];
  /** Ends the job. */
  readonly finish: () => void;
  droppedFor: DropReason | undefined;
}

/** A leased job, reduced to what a run needs. */
type TestJob = Pick<LeasedJob, "id" | "attempt" | "share">;

export interface TestKindOptions {
  readonly room?: number;
  /** Room of each share. */
  readonly free?: number;
  readonly onlyWaits?: boolean;
}

/** A kind whose jobs run until the test ends them. `runs` are all so far, in the order of their start. */
export function createTestKind(
  store: Pick<JobStore<TestColumn>, "end">,
  { room = 100, free = 100, onlyWaits = false }: TestKindOptions = {},
) {
  const runs: TestRun[] = [];
  const used = new Map<string, number>();
  const count = (): number => [...used.values()].reduce((sum, one) => sum + one, 0);

  async function run({ id, attempt, share }: TestJob, context: JobContext<TestColumn>): Promise<End> {
    const finished = Promise.withResolvers<void>();
    runs.push({ id, share, attempt, note: context.note, finish: finished.resolve, droppedFor: undefined });
    if (onlyWaits) context.onlyWaits();
    await finished.promise;
    const ending = [{ leaseId: { id, attempt }, end: { outcome: "done", output: null } }];
    return { outcome: "done", store: async () => (await store.end(ending))[0] === true };
  }

  const left = (share: string): number => Math.min(room - count(), free - (used.get(share) ?? 0));
  const kind: JobKind<TestColumn, TestJob> = {
    kind: "test",
    room: () => room - count(),
    free: left,
    reserve: (share) => {
      if (left(share) <= 0) return undefined;
      used.set(share, (used.get(share) ?? 0) + 1);
      return () => used.set(share, (used.get(share) ?? 0) - 1);
    },
    read: (row) => row,
    run,
    lost: ({ id, attempt }, why) => {
      const lost = runs.find((one) => one.id === id && one.attempt === attempt);
      if (lost !== undefined && why !== "not_stored") lost.droppedFor = why;
    },
  };
  return { kind, runs };
}
