import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowRunEvent } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { retryBriefly } from "@crosszone/sql";
import type { Kysely } from "kysely";
import { changesSince } from "../store/present-run.ts";
import { readStandings, type RunStanding, type RunReader } from "../store/run-reader.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";

/** A subscriber to the changes of a run. */
interface Watcher {
  readonly runId: string;
  /** The last seen revision. Only a later one, or the end, wakes the watcher. */
  seen: number;
  /** Resolves the promise of the latest `nextChange`. */
  wake: () => void;
}

/** Represents a deleted run, so that its watchers wake up and notice. */
const forgotten: RunStanding = { revision: Infinity, hasEnded: true };

/** Poll interval for changes of other processes, milliseconds. */
const lookMs = 250;

/** All watchers of this process share one small query for each poll. */
function createRunWatchers(db: Kysely<WorkflowTables>) {
  const entered = new Set<Watcher>();
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
    for (const { runId, seen, wake } of entered) {
      const { revision, hasEnded } = found.get(runId) ?? forgotten;
      if (hasEnded || revision > seen) wake();
    }
  }

  return {
    enter: (runId: string, seen: number, signal: AbortSignal | undefined) => {
      const watcher: Watcher = { runId, seen, wake: () => undefined };
      const onAbort = (): void => watcher.wake();
      entered.add(watcher);
      signal?.addEventListener("abort", onAbort);
      void keepLooking();
      return Object.assign(watcher, {
        /** Resolves when there may be a change, or the signal aborts. Call it before reading the run, so that no change is missed. */
        nextChange: (): Promise<void> => {
          const { promise, resolve } = Promise.withResolvers<void>();
          watcher.wake = resolve;
          return promise;
        },
        leave: (): void => {
          signal?.removeEventListener("abort", onAbort);
          entered.delete(watcher);
        },
      });
    },

    /** Wakes the watchers of runs that this process changed. */
    look: (runIds: readonly string[]): void => {
      if (entered.size === 0) return;
      const changed = new Set(runIds);
      for (const { runId, wake } of entered) if (changed.has(runId)) wake();
    },
  };
}

/** The changes of a run since the previous update. */
export interface RunUpdate {
  /** Pass it as `since` to get only later changes. */
  readonly revision: number;
  /** Each changed step once, in its latest state, and the run if its state changed. */
  readonly events: readonly WorkflowRunEvent[];
}

export interface WatchOptions {
  /** The last seen revision. If absent, the first update has everything. */
  readonly since?: number;
  readonly signal?: AbortSignal;
  /** Holds the bytes of an update before it is read, until it has been used. The watch ends with what `hold` throws. */
  readonly content?: { readonly hold: (bytes: number) => Promise<void>; readonly release: () => void };
}

/** Minimum time between two updates, milliseconds. */
const pauseMs = 50;

/** Returns the watch functions, shared by all watchers in this process. */
export function createRunWatch(
  db: Kysely<WorkflowTables>,
  { changed: readChanged, sizeOf }: RunReader,
  codec: RecordCodec,
) {
  const { enter, look } = createRunWatchers(db);

  /** Yields the changes of a run until it ends, whichever process makes them. Changes in quick succession are merged. */
  async function* watch(runId: string, { since = -1, signal, content }: WatchOptions = {}): AsyncGenerator<RunUpdate> {
    const watcher = enter(runId, since, signal);
    const isAborted = (): boolean => signal?.aborted ?? false;
    try {
      while (!isAborted()) {
        const change = watcher.nextChange();
        const size = await sizeOf(runId, watcher.seen);
        if (size === undefined) return;
        let { hasEnded } = size;
        if (size.revision > watcher.seen) {
          await content?.hold(size.bytes);
          const found = await readChanged(runId, watcher.seen);
          if (found === undefined) return;
          const { revision, ended_at } = found.row;
          const events = changesSince(found, watcher.seen, codec);
          [watcher.seen, hasEnded] = [revision, ended_at !== null];
          // A moved timer is not a visible change.
          if (events.length > 0) yield { revision, events };
          content?.release();
        }
        if (hasEnded || isAborted()) return;
        await Promise.all([change, delay(pauseMs, undefined, { ref: false })]);
      }
    } finally {
      watcher.leave();
    }
  }

  /**
   * Waits until the run has a revision after `since`, or has ended, or the signal aborts; then returns its state. Without `since`, waits for
   * the end. Resolves with undefined if the run does not exist. Does not read inputs or outputs.
   */
  async function waitForRun(
    runId: string,
    { since = Infinity, signal }: WatchOptions = {},
  ): Promise<RunStanding | undefined> {
    const watcher = enter(runId, since, signal);
    try {
      for (;;) {
        const change = watcher.nextChange();
        const standing = (await retryBriefly(() => readStandings(db, [runId]))).get(runId);
        if (standing === undefined || standing.hasEnded || standing.revision > since || signal?.aborted)
          return standing;
        await change;
      }
    } finally {
      watcher.leave();
    }
  }

  return { watch, waitForRun, look };
}
