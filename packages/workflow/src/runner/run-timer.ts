import { createPolling } from "@crosszone/jobs";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import { timerMs } from "@crosszone/service-kit/timing";
import { type Database, now, outageOf, retryBriefly } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql } from "kysely";
import type { RunEvent } from "../run/run-events.ts";
import { type DueRun, findDueRuns } from "../store/run-reader.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { ApplyEvent } from "./apply-event.ts";
import type { AppliedEvent } from "./turn.ts";

interface TurnKey {
  readonly run_id: string;
  readonly cause: string;
}

/**
 * Returns how often the turn was started without ending, including this time; undefined when another process started it within the last
 * `aloneMs` milliseconds, or the run was deleted.
 */
async function countStart(
  { db, engine }: Database<WorkflowTables>,
  { run_id, cause }: TurnKey,
  aloneMs: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    insert into workflow_turn (run_id, cause, attempts, begun_at)
    select run_id, ${cause}, 1, ${now(engine)} from workflow_run where run_id = ${run_id}
    on conflict (run_id, cause) do update set attempts = workflow_turn.attempts + 1, begun_at = excluded.begun_at
    where workflow_turn.begun_at <= excluded.begun_at - ${aloneMs}
    returning attempts`.execute(db);
  return rows[0]?.attempts;
}

/** Applies an event that was received before but never completed, perhaps because it crashed the process. */
export type RetryEvent = (runId: string, event: RetriedEvent) => Promise<AppliedEvent | undefined>;

type RetriedEvent = Extract<RunEvent, { type: "result_received" }> | { readonly type: "time_passed" };

/** Number of processes that a turn can crash. The first attempt is not counted, so the third retry gives the run up. */
const mostEnded = 3;

/** How long a timer is reserved for one process, milliseconds. Longer than a turn takes. */
const aloneMs = 10_000;

/**
 * Returns a function that durably counts how often a turn was started, and gives up the run when the turn repeatedly crashed its process.
 * It runs one turn at a time, so that a crash counts only for the run that caused it.
 */
export function createRetryEvent(database: Database<WorkflowTables>, apply: ApplyEvent): RetryEvent {
  let last: Promise<unknown> = Promise.resolve();

  async function retry(turn: TurnKey, event: RetriedEvent): Promise<AppliedEvent | undefined> {
    // One process at a time leases a result, but every process runs timers.
    const isTimer = event.type === "time_passed";
    const attempts = await retryBriefly(() => countStart(database, turn, isTimer ? aloneMs : 0));
    if (attempts === undefined) return isTimer ? undefined : apply(turn.run_id, event);
    try {
      const givenUp = { ...event, type: "given_up", processes: mostEnded } as const;
      return await apply(turn.run_id, attempts < mostEnded ? event : givenUp);
    } finally {
      // The turn ended without crashing the process. If this fails, the count is only one too high.
      const counted = database.db.deleteFrom("workflow_turn").where("run_id", "=", turn.run_id);
      await retryBriefly(() => counted.where("cause", "=", turn.cause).execute()).catch(() => undefined);
    }
  }

  return (runId, event) => {
    const cause = event.type === "result_received" ? event.result.task_id : "time";
    const retried = last.then(() => retry({ run_id: runId, cause }, event));
    last = retried.catch(() => undefined);
    return retried;
  };
}

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
  let nextLookAt = -Infinity;
  let isAway = false;

  /** Reports each outage once. */
  function away(cause: unknown): void {
    if (!isAway) emit("run_timer_failed", { cause });
    isAway = true;
  }

  async function sendTime({ runId, lateMs }: DueRun): Promise<void> {
    try {
      await (lateMs > lateFromMs ? retry : apply)(runId, { type: "time_passed" });
    } catch (cause) {
      // It stays due, for a process that has its key.
      if (isKeyMissing(cause)) return void (isAway = true);
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

  const { wake, start, stop } = createPolling(async () => {
    nextLookAt = -Infinity;
    const inMs = await look();
    nextLookAt = performance.now() + inMs;
    return inMs;
  });

  return {
    /** A run of this process has a timer that is due in `inMs` milliseconds. */
    expect: (inMs: number): void => {
      if (performance.now() + inMs < nextLookAt - pauseMs) setTimeout(wake, timerMs(inMs)).unref();
    },
    start,
    stop,
  };
}
