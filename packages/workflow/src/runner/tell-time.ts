import { setTimeout as delay } from "node:timers/promises";
import { isTransient, now, type Database } from "@crosszone/sql";
import { findDueRuns, type DueRun } from "../store/find-due-runs.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { AdvanceAgain } from "./advance-again.ts";
import type { AdvanceRun } from "./advance-runs.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";

export interface TellTimeDeps {
  readonly database: Database<WorkflowTables>;
  readonly advance: AdvanceRun;
  readonly advanceAgain: AdvanceAgain;
  readonly observer: Pick<WorkflowObserver, "timerFailed">;
}

/** Poll interval for due runs, milliseconds; the largest delay of a deadline. */
const everyMs = 200;

/** Maximum number of runs in one poll. */
const mostRuns = 200;

/** Delay from which a due timer counts as a retry, milliseconds: another process has probably tried it and may have crashed. */
const lateFromMs = 5_000;

/** Delay before a failed run is tried again, milliseconds. It does not hold up other runs. */
const againMs = 30_000;

/**
 * Sends due runs a `time_passed` event, in any process. A repeated event changes nothing, so timers need no owner. Returns a function that
 * stops it.
 */
export function startTellingTime({ database, advance, advanceAgain, observer }: TellTimeDeps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isAway = false;

  /** Reports each outage once. */
  function away(cause: unknown): void {
    if (!isAway) observer.timerFailed(cause);
    isAway = true;
  }

  async function tell({ runId, lateMs }: DueRun): Promise<void> {
    try {
      await (lateMs > lateFromMs ? advanceAgain : advance)(runId, { type: "time_passed" });
    } catch (cause) {
      if (isTransient(cause)) return away(cause);
      observer.timerFailed(cause, runId);
      await putOff(runId);
    }
  }

  async function putOff(runId: string): Promise<void> {
    const { db, engine } = database;
    const later = db.updateTable("workflow_run").set((eb) => ({ due_at: eb(now(engine), "+", againMs) }));
    await later.where("run_id", "=", runId).where("due_at", "is not", null).execute();
  }

  async function tellAgainAndAgain(): Promise<void> {
    while (!signal.aborted) {
      let isFull = false;
      try {
        const due = await findDueRuns(database.db, database.engine, mostRuns);
        isAway = false;
        await Promise.all(due.map(tell));
        isFull = due.length === mostRuns && !isAway;
      } catch (cause) {
        away(cause);
      }
      // Varies the interval, so that processes which started together do not poll together.
      if (!isFull) await delay(everyMs * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const ended = tellAgainAndAgain();
  return async () => {
    stopping.abort();
    await ended;
  };
}
