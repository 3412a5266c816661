import type { Engine } from "@crosszone/sql";
import type { WantedJobs } from "../table/job.ts";
import type { TakeMark } from "./take-jobs.ts";

/** How long a mark holds, milliseconds. A job that was committed late may stand before it. */
const holdMs = 1_000;

/** Where the last takes of long queues ended. */
export interface TakeMarks {
  readonly markOf: (share: string) => TakeMark | undefined;
  readonly taken: (wanted: readonly WantedJobs[], jobs: readonly (TakeMark & { readonly share: string })[]) => void;
  /** Jobs before the marks became ready: takes start at the front again. */
  readonly clear: () => void;
}

/**
 * While an old snapshot is open, PostgreSQL keeps the index entries of taken jobs and reads each again: takes of a long queue would become
 * slower and slower. They start at the mark instead, and at the front again once a second.
 */
export function createTakeMarks(engine: Engine): TakeMarks {
  const marks = new Map<string, TakeMark & { readonly at: number }>();
  if (engine === "sqlite") return { markOf: () => undefined, taken: () => undefined, clear: () => undefined };
  return {
    clear: () => marks.clear(),
    markOf: (share) => {
      const mark = marks.get(share);
      if (mark !== undefined && performance.now() - mark.at < holdMs) return mark;
      marks.delete(share);
      return undefined;
    },
    taken: (wanted, jobs) => {
      const byShare = Map.groupBy(jobs, ({ share }) => share);
      for (const { share, most } of wanted) {
        const got = byShare.get(share) ?? [];
        const last = got.at(-1);
        const at = marks.get(share)?.at ?? performance.now();
        // A short answer means that the queue is empty: the next job may be anywhere.
        if (last === undefined || got.length < most) marks.delete(share);
        else marks.set(share, { due_at: last.due_at, sequence: last.sequence, at });
      }
    },
  };
}
