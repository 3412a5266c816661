import { createAlarm } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { now, outageOf, type Database } from "@crosszone/sql";
import { findDueRuns, type DueRun } from "../store/run-queries.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { ApplyEvent } from "./apply-event.ts";
import type { RetryEvent } from "./retry-event.ts";

interface TimerDeps {
  readonly settleClock: (how: { readonly asks: boolean }) => Promise<void>;
  readonly database: Database<WorkflowTables>;
  readonly apply: ApplyEvent;
  readonly retry: RetryEvent;
  readonly emit: Emit<ExecutionEvent>;
}

/** Longest time between two polls, milliseconds: the largest delay of a deadline that another process set. */
const everyMs = 1_000;

/** Shortest time between two polls, milliseconds. */
const pauseMs = 5;

/** Time between two polls while the database is unreachable, milliseconds. */
const awayMs = 200;

/** Maximum number of runs in one poll. */
const mostRuns = 200;

/** Delay from which a due timer counts as a retry, milliseconds: another process has probably tried it and may have crashed. */
const lateFromMs = 5_000;

/** Delay before the retry of a failed run, milliseconds. It does not delay other runs. */
const retryAfterMs = 30_000;

/**
 * Sends due runs a `time_passed` event, in any process. A repeated event changes nothing, so timers need no owner and no lease:
 * the run's own row is the timer.
 */
export function createTimer({ database, apply, retry, settleClock, emit }: TimerDeps) {
  const stopping = new AbortController();
  const alarm = createAlarm();
  let nextLookAt = -Infinity;
  let isAway = false;
  let ended: Promise<void> | undefined;

  /** Reports each outage once. */
  function away(cause: unknown): void {
    if (!isAway) emit("run_timer_failed", { cause });
    isAway = true;
  }

  async function sendTime({ runId, lateMs }: DueRun): Promise<void> {
    try {
      await (lateMs > lateFromMs ? retry : apply)(runId, { type: "time_passed" });
    } catch (cause) {
      if (outageOf(cause)) return away(cause);
      emit("run_timer_failed", { run_id: runId, cause });
      await postpone(runId);
    }
  }

  async function postpone(runId: string): Promise<void> {
    const { db, engine } = database;
    const later = db.updateTable("workflow_run").set((eb) => ({ due_at: eb(now(engine), "+", retryAfterMs) }));
    await later.where("run_id", "=", runId).where("due_at", "is not", null).execute();
  }

  /** Returns the time until the next poll, milliseconds. */
  async function look(): Promise<number> {
    try {
      const { due, nextInMs = everyMs } = await findDueRuns(database.db, database.engine, mostRuns);
      // A run that is due only because the clock has jumped gets its time back.
      if (due.length > 0) await settleClock({ asks: true });
      isAway = false;
      await Promise.all(due.map(sendTime));
      if (due.length === mostRuns && !isAway) return 0;
      // Varies the longest pause, so that processes which started together do not poll together.
      return isAway ? awayMs : Math.min(Math.max(nextInMs, pauseMs), everyMs * (0.75 + Math.random() / 4));
    } catch (cause) {
      away(cause);
      return awayMs;
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const inMs = await look();
      nextLookAt = performance.now() + inMs;
      if (inMs > 0) await alarm.sleep(inMs);
      nextLookAt = -Infinity;
    }
  }

  return {
    /** A run of this process has a timer that is due in `inMs` milliseconds. */
    expect: (inMs: number): void => {
      if (ended !== undefined && performance.now() + inMs < nextLookAt - pauseMs) setTimeout(alarm.wake, inMs).unref();
    },
    start: (): void => {
      ended ??= keepLooking();
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      alarm.wake();
      await ended;
    },
  };
}
