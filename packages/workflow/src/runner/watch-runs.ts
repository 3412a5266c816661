import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowRunEvent } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { changesSince } from "../store/present-run.ts";
import type { RunReader } from "../store/run-reader.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";

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

export interface RunWatch {
  readonly watch: WatchRun;
  /** Runs that this process changed are looked at now. */
  readonly look: (runIds: readonly string[]) => void;
}

interface Watcher {
  readonly runId: string;
  seen: number;
  wake: () => void;
}

/** How soon a change is seen that another process made, at the latest; milliseconds. */
const lookMs = 250;

/** The least time between two updates, milliseconds. */
const pauseMs = 50;

/** All who watch in this process share one small statement a look, however many they are. */
export function createRunWatch(deps: {
  readonly database: Pick<Database<WorkflowTables>, "db">;
  readonly reader: Pick<RunReader, "present">;
  readonly codec: RecordCodec;
}): RunWatch {
  const { reader, codec } = deps;
  const watchers = new Set<Watcher>();
  let isLooking = false;

  async function lookAgainAndAgain(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (watchers.size > 0) {
      await delay(lookMs, undefined, { ref: false });
      // While the database is away nothing is seen; the next look may be luckier.
      await lookOnce().catch(() => undefined);
    }
    isLooking = false;
  }

  async function lookOnce(): Promise<void> {
    const ids = [...new Set([...watchers].map(({ runId }) => runId))];
    if (ids.length === 0) return;
    const { db } = deps.database;
    const rows = await db
      .selectFrom("workflow_run")
      .select(["run_id", "revision"])
      .where("run_id", "in", ids)
      .execute();
    const found = new Map(rows.map(({ run_id, revision }) => [run_id, revision]));
    for (const watcher of watchers) if ((found.get(watcher.runId) ?? Infinity) > watcher.seen) watcher.wake();
  }

  async function* watch(runId: string, { since = -1, signal }: WatchOptions = {}): AsyncGenerator<RunUpdate> {
    const watcher: Watcher = { runId, seen: since, wake: () => undefined };
    watchers.add(watcher);
    const isAborted = (): boolean => signal?.aborted ?? false;
    const onAbort = (): void => watcher.wake();
    signal?.addEventListener("abort", onAbort);
    void lookAgainAndAgain();
    try {
      while (!isAborted()) {
        // Before it is read: what changes while it is read is not missed.
        const change = Promise.withResolvers<void>();
        watcher.wake = change.resolve;
        const found = await reader.present(runId);
        if (found === undefined) return;
        const { revision, ended_at } = found.row;
        if (revision > watcher.seen) {
          const events = changesSince(found, watcher.seen, codec);
          watcher.seen = revision;
          yield { revision, events };
        }
        if (ended_at !== null || isAborted()) return;
        await Promise.all([change.promise, delay(pauseMs, undefined, { ref: false })]);
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
      watchers.delete(watcher);
    }
  }

  return {
    watch,
    look: (runIds) => {
      if (watchers.size === 0) return;
      const changed = new Set(runIds);
      for (const watcher of watchers) if (changed.has(watcher.runId)) watcher.wake();
    },
  };
}
