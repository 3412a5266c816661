import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import { readStandings, type RunStanding } from "../store/run-standing.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";

/** Somebody who waits for changes of a run. */
export interface Watcher {
  /** The revision that was seen last: only a later one wakes it, or the end. */
  seen: number;
  /** Resolves when there may be a change, or the signal aborts. Asked for before the run is read: what changes while it is read is not missed. */
  readonly nextChange: () => Promise<void>;
  readonly leave: () => void;
}

/** All who watch runs in this process. */
export interface RunWatchers {
  readonly enter: (runId: string, seen: number, signal: AbortSignal | undefined) => Watcher;
  /** Wakes who watches runs that this process changed. */
  readonly look: (runIds: readonly string[]) => void;
}

/** Stands for a run that is not there any more: who watches it is to find that out. */
const forgotten: RunStanding = { revision: Infinity, hasEnded: true };

/** How soon a change is seen that another process made, at the latest; milliseconds. */
const lookMs = 250;

/** All who watch in this process share one small statement a look, however many they are. */
export function createRunWatchers(db: Kysely<WorkflowTables>): RunWatchers {
  const entered = new Set<{ readonly runId: string; readonly watcher: Watcher; wake: () => void }>();
  let isLooking = false;

  async function lookAgainAndAgain(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (entered.size > 0) {
      await delay(lookMs, undefined, { ref: false });
      // While the database is away nothing is seen; the next look may be luckier.
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
      void lookAgainAndAgain();
      return watcher;
    },

    look: (runIds) => {
      if (entered.size === 0) return;
      const changed = new Set(runIds);
      for (const { runId, wake } of entered) if (changed.has(runId)) wake();
    },
  };
}
