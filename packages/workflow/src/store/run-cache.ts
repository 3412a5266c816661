import { isEnded } from "../run/run-record.ts";
import type { StoredRun } from "./stored-run.ts";

/** Open runs as this process stored them last. What another process has changed since has another revision, and is read anew. */
export interface RunCache {
  readonly get: (runId: string, revision: number) => StoredRun | undefined;
  /** Only what is committed, or was read under the lock of its row. */
  readonly put: (run: StoredRun) => void;
}

export function createRunCache(mostBytes = 32_000_000): RunCache {
  const runs = new Map<string, StoredRun>();
  let bytes = 0;

  function drop(runId: string): void {
    bytes -= runs.get(runId)?.bytes ?? 0;
    runs.delete(runId);
  }

  return {
    get: (runId, revision) => {
      const run = runs.get(runId);
      return run?.revision === revision ? run : undefined;
    },
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
