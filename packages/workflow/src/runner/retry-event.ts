import { type Database, now, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import type { RunEvent } from "../run/run-events.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { ApplyEvent } from "./apply-event.ts";
import type { AppliedEvent } from "./turn.ts";

/** Identifies a turn of a run. */
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

/** Deletes the count: the turn ended without crashing the process. */
async function forgetCount({ db }: Database<WorkflowTables>, { run_id, cause }: TurnKey): Promise<void> {
  await db.deleteFrom("workflow_turn").where("run_id", "=", run_id).where("cause", "=", cause).execute();
}

/** Applies an event that was received before but never completed, perhaps because it crashed the process. */
export type RetryEvent = (runId: string, event: RetriedEvent) => Promise<AppliedEvent | undefined>;

export type RetriedEvent = Extract<RunEvent, { type: "result_received" }> | { readonly type: "time_passed" };

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
      // If this fails, the count is only one too high.
      await retryBriefly(() => forgetCount(database, turn)).catch(() => undefined);
    }
  }

  return (runId, event) => {
    const cause = event.type === "result_received" ? event.result.task_id : "time";
    const retried = last.then(() => retry({ run_id: runId, cause }, event));
    last = retried.catch(() => undefined);
    return retried;
  };
}
