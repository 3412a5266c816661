import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowRunEvent } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { patiently, type Database } from "@crosszone/sql";
import { changesSince } from "../store/present-run.ts";
import type { RunReader } from "../store/run-reader.ts";
import { readStandings, type RunStanding } from "../store/run-standing.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { createRunWatchers, type RunWatchers } from "./run-watchers.ts";

/** What became of a run since the update before. */
export interface RunUpdate {
  /** Who has seen this update asks for what comes after it. */
  readonly revision: number;
  /** Each step that changed, once, as it is now; and the run, if its state changed. */
  readonly events: readonly WorkflowRunEvent[];
}

export interface WatchOptions {
  /** The revision that was seen last; all there is comes first without it. */
  readonly since?: number;
  readonly signal?: AbortSignal;
}

/** Tells of a run's changes, whichever process makes them, until it has ended. Changes that come fast are told together. */
export type WatchRun = (runId: string, options?: WatchOptions) => AsyncIterable<RunUpdate>;

/**
 * Waits until a run is later than the revision `since`, or has ended, or the signal aborts, and gives how it stands then; without a
 * revision, only for its end. Nothing when there is no such run. What was said in the run is not read.
 */
export type WaitForRun = (runId: string, options?: WatchOptions) => Promise<RunStanding | undefined>;

export interface RunWatch extends Pick<RunWatchers, "look"> {
  readonly watch: WatchRun;
  readonly waitForRun: WaitForRun;
}

/** How long a look is tried while the database cannot be reached, milliseconds. */
const patienceMs = 1_000;

/** The least time between two updates, milliseconds. */
const pauseMs = 50;

/** Follows runs for all in this process who watch them. */
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
          yield { revision, events };
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
        const standing = (await patiently(() => readStandings(db, [runId]), { budgetMs: patienceMs })).get(runId);
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
