import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowRunEvent } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { retryTransient, type Database } from "@crosszone/sql";
import { changesSince } from "../store/present-run.ts";
import type { RunReader } from "../store/run-reader.ts";
import { readStandings, type RunStanding } from "../store/run-queries.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { createRunWatchers, type RunWatchers } from "./run-watchers.ts";

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
}

/** Yields the changes of a run until it ends, whichever process makes them. Changes in quick succession are merged. */
export type WatchRun = (runId: string, options?: WatchOptions) => AsyncIterable<RunUpdate>;

/**
 * Waits until the run has a revision after `since`, or has ended, or the signal aborts; then returns its state. Without `since`, waits for
 * the end. Resolves with undefined if the run does not exist. Does not read inputs or outputs.
 */
export type WaitForRun = (runId: string, options?: WatchOptions) => Promise<RunStanding | undefined>;

export interface RunWatch extends Pick<RunWatchers, "look"> {
  readonly watch: WatchRun;
  readonly waitForRun: WaitForRun;
}

/** How long a read is retried while the database is unreachable, milliseconds. */
const retryForMs = 1_000;

/** Minimum time between two updates, milliseconds. */
const pauseMs = 50;

/** Returns the watch functions, shared by all watchers in this process. */
export function createRunWatch(deps: {
  readonly database: Pick<Database<WorkflowTables>, "db">;
  readonly reader: Pick<RunReader, "changed">;
  readonly codec: RecordCodec;
}): RunWatch {
  const { reader, codec } = deps;
  const { db } = deps.database;
  const { enter, look } = createRunWatchers(db);

  async function* watch(runId: string, { since = -1, signal }: WatchOptions = {}): AsyncGenerator<RunUpdate> {
    const watcher = enter(runId, since, signal);
    const isAborted = (): boolean => signal?.aborted ?? false;
    try {
      while (!isAborted()) {
        const change = watcher.nextChange();
        const found = await reader.changed(runId, watcher.seen);
        if (found === undefined) return;
        const { revision, ended_at } = found.row;
        if (revision > watcher.seen) {
          const events = changesSince(found, watcher.seen, codec);
          watcher.seen = revision;
          // A moved timer is not a visible change.
          if (events.length > 0) yield { revision, events };
        }
        if (ended_at !== null || isAborted()) return;
        await Promise.all([change, delay(pauseMs, undefined, { ref: false })]);
      }
    } finally {
      watcher.leave();
    }
  }

  async function waitForRun(
    runId: string,
    { since = Infinity, signal }: WatchOptions = {},
  ): Promise<RunStanding | undefined> {
    const watcher = enter(runId, since, signal);
    try {
      for (;;) {
        const change = watcher.nextChange();
        const standing = (await retryTransient(() => readStandings(db, [runId]), { budgetMs: retryForMs })).get(runId);
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
