import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowRunEvent } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { patiently, type Database } from "@crosszone/sql";
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

/** How a run stood when it was looked at. */
export interface RunStanding {
  readonly revision: number;
  readonly hasEnded: boolean;
}

/**
 * Waits until a run is later than the revision `since`, or has ended, or the signal aborts, and gives how it stands then; without a
 * revision, only for its end. Nothing when there is no such run. What was said in the run is not read.
 */
export type WaitForRun = (runId: string, options?: WatchOptions) => Promise<RunStanding | undefined>;

export interface RunWatch {
  readonly watch: WatchRun;
  readonly waitForRun: WaitForRun;
  /** Runs that this process changed are looked at now. */
  readonly look: (runIds: readonly string[]) => void;
}

interface Watcher {
  readonly runId: string;
  seen: number;
  wake: () => void;
}

/** Stands for a run that is not there any more: who watches it is to find that out. */
const forgotten: RunStanding = { revision: Infinity, hasEnded: true };

/** How long a look is tried while the database cannot be reached, milliseconds. */
const patienceMs = 1_000;

/** How soon a change is seen that another process made, at the latest; milliseconds. */
const lookMs = 250;

/** The least time between two updates, milliseconds. */
const pauseMs = 50;

/** All who watch in this process share one small statement a look, however many they are. */
export function createRunWatch(deps: {
  readonly database: Pick<Database<WorkflowTables>, "db">;
  readonly reader: Pick<RunReader, "changed">;
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
    const found = await standings(ids);
    for (const watcher of watchers) {
      const { revision, hasEnded } = found.get(watcher.runId) ?? forgotten;
      if (hasEnded || revision > watcher.seen) watcher.wake();
    }
  }

  async function standings(ids: readonly string[]): Promise<ReadonlyMap<string, RunStanding>> {
    const { db } = deps.database;
    const runs = db.selectFrom("workflow_run").select(["run_id", "revision", "ended_at"]);
    const rows = await runs.where("run_id", "in", ids).execute();
    return new Map(rows.map(({ run_id, revision, ended_at }) => [run_id, { revision, hasEnded: ended_at !== null }]));
  }

  function enter(
    runId: string,
    seen: number,
    signal: AbortSignal | undefined,
  ): { readonly watcher: Watcher; readonly leave: () => void } {
    const watcher: Watcher = { runId, seen, wake: () => undefined };
    const onAbort = (): void => watcher.wake();
    watchers.add(watcher);
    signal?.addEventListener("abort", onAbort);
    void lookAgainAndAgain();
    const leave = (): void => {
      signal?.removeEventListener("abort", onAbort);
      watchers.delete(watcher);
    };
    return { watcher, leave };
  }

  async function* watch(runId: string, { since = -1, signal }: WatchOptions = {}): AsyncGenerator<RunUpdate> {
    const { watcher, leave } = enter(runId, since, signal);
    const isAborted = (): boolean => signal?.aborted ?? false;
    try {
      while (!isAborted()) {
        const change = nextChange(watcher);
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
      leave();
    }
  }

  async function waitForRun(
    runId: string,
    { since = Infinity, signal }: WatchOptions = {},
  ): Promise<RunStanding | undefined> {
    const { watcher, leave } = enter(runId, since, signal);
    try {
      for (;;) {
        const change = nextChange(watcher);
        const standing = (await patiently(() => standings([runId]), { budgetMs: patienceMs })).get(runId);
        if (standing === undefined || standing.hasEnded || standing.revision > since || signal?.aborted)
          return standing;
        await change;
      }
    } finally {
      leave();
    }
  }

  return {
    watch,
    waitForRun,
    look: (runIds) => {
      if (watchers.size === 0) return;
      const changed = new Set(runIds);
      for (const watcher of watchers) if (changed.has(watcher.runId)) watcher.wake();
    },
  };
}

/** Resolves when the watcher is woken. Asked for before its run is read: what changes while it is read is not missed. */
function nextChange(watcher: Watcher): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  watcher.wake = resolve;
  return promise;
}
