import { isEnded } from "../state/run-record.ts";
import type { RunRow } from "./run-row.ts";
import type { StoredRun } from "./stored-run.ts";

/** Cache of open runs as this process last stored them. If another process has changed a run, its revision differs and it is read again. */
export interface RunCache {
  readonly get: (row: Pick<RunRow, "run_id" | "revision" | "created_at">) => StoredRun | undefined;
  /** Returns a run as this process last stored it. Another process may have changed it since. */
  readonly latest: (runId: string) => StoredRun | undefined;
  readonly drop: (runId: string) => void;
  /** Only for committed runs. */
  readonly put: (run: StoredRun) => void;
}

/** `mostBytes`: about how much memory the runs may use together. The runs that were stored longest ago are evicted first. */
export function createRunCache(mostBytes = 32_000_000): RunCache {
  const runs = new Map<string, StoredRun>();
  let bytes = 0;

  function drop(runId: string): void {
    bytes -= runs.get(runId)?.bytes ?? 0;
    runs.delete(runId);
  }

  return {
    get: ({ run_id, revision, created_at }) => {
      const run = runs.get(run_id);
      // A deleted run can be started again with the same id.
      return run?.revision === revision && run.createdAt === created_at ? run : undefined;
    },
    latest: (runId) => runs.get(runId),
    drop,
    put: (run) => {
      const { run_id } = run.record;
      drop(run_id);
      if (isEnded(run.record)) return;
      runs.set(run_id, run);
      bytes += run.bytes;
      for (const [oldest] of runs) {
        if (bytes <= mostBytes) break;
        drop(oldest);
      }
    },
  };
}
