import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import { readStandings, type RunStanding } from "../store/run-queries.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";

/** A subscriber to the changes of a run. */
export interface Watcher {
  /** The last seen revision. Only a later one, or the end, wakes the watcher. */
  seen: number;
  /** Resolves when there may be a change, or the signal aborts. Call it before reading the run, so that no change is missed. */
  readonly nextChange: () => Promise<void>;
  readonly leave: () => void;
}

/** All watchers in this process. */
export interface RunWatchers {
  readonly enter: (runId: string, seen: number, signal: AbortSignal | undefined) => Watcher;
  /** Wakes the watchers of runs that this process changed. */
  readonly look: (runIds: readonly string[]) => void;
}

/** Represents a deleted run, so that its watchers wake up and notice. */
const forgotten: RunStanding = { revision: Infinity, hasEnded: true };

/** Poll interval for changes of other processes, milliseconds. */
const lookMs = 250;

/** All watchers of this process share one small query for each poll. */
export function createRunWatchers(db: Kysely<WorkflowTables>): RunWatchers {
  const entered = new Set<{ readonly runId: string; readonly watcher: Watcher; wake: () => void }>();
  let isLooking = false;

  async function keepLooking(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (entered.size > 0) {
      await delay(lookMs, undefined, { ref: false });
      // While the database is unreachable, wait for the next poll.
      await lookOnce().catch(() => undefined);
    }
    isLooking = false;
  }

  async function lookOnce(): Promise<void> {
    const ids = [...new Set([...entered].map(({ runId }) => runId))];
    if (ids.length === 0) return;
    const found = await readStandings(db, ids);
    for (const { runId, watcher, wake } of entered) {
      const { revision, hasEnded } = found.get(runId) ?? forgotten;
      if (hasEnded || revision > watcher.seen) wake();
    }
  }

  return {
    enter: (runId, seen, signal) => {
      const onAbort = (): void => entry.wake();
      const watcher: Watcher = {
        seen,
        nextChange: () => {
          const { promise, resolve } = Promise.withResolvers<void>();
          entry.wake = resolve;
          return promise;
        },
        leave: () => {
          signal?.removeEventListener("abort", onAbort);
          entered.delete(entry);
        },
      };
      const entry = { runId, watcher, wake: (): void => undefined };
      entered.add(entry);
      signal?.addEventListener("abort", onAbort);
      void keepLooking();
      return watcher;
    },

    look: (runIds) => {
      if (entered.size === 0) return;
      const changed = new Set(runIds);
      for (const { runId, wake } of entered) if (changed.has(runId)) wake();
    },
  };
}
