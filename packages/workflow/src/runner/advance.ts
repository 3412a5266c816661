import type { AgentResult } from "@crosszone/contracts";
import { type Database, now, retryBriefly } from "@crosszone/sql";
import type { RunReading, StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { ConditionAnswers, ConditionAsks } from "../expressions/evaluate-on-thread.ts";
import { type EndedCall, type RunTurn, turnOf } from "./run-turn.ts";
import type { StoreTurnsDeps } from "./store-turns.ts";
import { sql } from "kysely";

/** An event of a run without its time, which the database adds. */
export type RunHappening =
  | { readonly type: "run_started" | "time_passed" }
  /** `request` identifies the request, so that a repetition after a lost response has no further effect. */
  | { readonly type: "cancel_requested" | "retry_requested"; readonly request: string }
  | { readonly type: "result_received"; readonly result: AgentResult; readonly call?: EndedCall }
  | {
      readonly type: "given_up";
      readonly processes: number;
      readonly result?: AgentResult;
      readonly call?: EndedCall;
    };

/** The run after an event. */
export interface Advanced {
  readonly run: StoredRun;
  /**
   * False when the event was late or repeated, or its call was lost. For a repeated request, true if its first occurrence
   * changed the run.
   */
  readonly hasChanged: boolean;
}

export type AdvanceRun = (runId: string, happening: RunHappening) => Promise<Advanced | undefined>;

export interface AdvanceDeps extends StoreTurnsDeps, RunReading {
  readonly database: Database<WorkflowTables>;
}

export interface RunItem {
  readonly runId: string;
  readonly happening: RunHappening;
  /** The conditions that were evaluated for this event. */
  readonly answers: ConditionAnswers;
}

/** The outcome of an item. `asks`: it waits for the answers of these conditions, and nothing was applied. */
export interface ItemOutcome extends Advanced {
  readonly asks?: ConditionAsks;
}

export const hasChanged = ({ before, after }: RunTurn): boolean => before.record !== after;

/** Applies the events of items to their run. */
export function turnOfItems(before: StoredRun, items: readonly RunItem[], at: number): RunTurn {
  const answers = new Map(items.flatMap((item) => [...item.answers]));
  return turnOf(
    before,
    items.map(({ happening }) => ({ ...happening, at })),
    answers,
  );
}

/** Returns the outcome of each item in order; events of a run have the order of its items. */
export function outcomesOf(
  items: readonly RunItem[],
  { turns, stored }: { readonly turns: readonly RunTurn[]; readonly stored: readonly StoredRun[] },
): (ItemOutcome | undefined)[] {
  const runs = new Map(stored.map((run) => [run.record.run_id, run]));
  const changes = new Map(turns.map(({ before, hasChanged: each }) => [before.record.run_id, each.values()]));
  const asked = new Map(turns.map(({ before, asks }) => [before.record.run_id, asks]));
  return items.map(({ runId }) => {
    const run = runs.get(runId);
    const asks = asked.get(runId);
    return run && { run, hasChanged: changes.get(runId)?.next().value === true, asks };
  });
}

/** Identifies a turn of a run. */
interface TurnKey {
  readonly run_id: string;
  readonly cause: string;
}

/** Counts how often a turn started without ending. */
interface TurnCount {
  /** Returns how often the turn was started, including this time; undefined when another process just started it or the run was deleted. */
  readonly begin: (turn: TurnKey) => Promise<number | undefined>;
  /** Deletes the count: the turn ended without crashing the process. */
  readonly end: (turn: TurnKey) => Promise<void>;
}

/** After one process begins a turn, no other process can begin it for `aloneMs` milliseconds. */
function createTurnCount({ db, engine }: Database<WorkflowTables>, aloneMs: number): TurnCount {
  return {
    begin: async ({ run_id, cause }) => {
      const { rows } = await sql<{ attempts: number }>`
        insert into workflow_turn (run_id, cause, attempts, begun_at)
        select run_id, ${cause}, 1, ${now(engine)} from workflow_run where run_id = ${run_id}
        on conflict (run_id, cause) do update set attempts = workflow_turn.attempts + 1, begun_at = excluded.begun_at
        where workflow_turn.begun_at <= excluded.begun_at - ${aloneMs}
        returning attempts`.execute(db);
      return rows[0]?.attempts;
    },
    end: async ({ run_id, cause }) => {
      await db.deleteFrom("workflow_turn").where("run_id", "=", run_id).where("cause", "=", cause).execute();
    },
  };
}

/** Advances a run by an event that was received before but never completed, perhaps because it crashed the process. */
export type RetryAdvance = (runId: string, happening: RetriedHappening) => Promise<Advanced | undefined>;

export type RetriedHappening = { readonly type: "time_passed" } | Extract<RunHappening, { type: "result_received" }>;

export interface RetryAdvanceDeps {
  readonly database: Database<WorkflowTables>;
  readonly advance: AdvanceRun;
}

/** Number of processes that a turn can crash. The first attempt is not counted, so the third retry gives the run up. */
const mostEnded = 3;

/** How long a timer is reserved for one process, milliseconds. Longer than a turn takes. */
const aloneMs = 10_000;

/**
 * Returns a function that durably counts how often a turn was started, and gives up the run when the turn repeatedly crashed its process.
 * It runs one turn at a time, so that a crash counts only for the run that caused it.
 */
export function createRetryAdvance({ database, advance }: RetryAdvanceDeps): RetryAdvance {
  // One process at a time leases a result, but every process runs timers.
  const counts = { result_received: createTurnCount(database, 0), time_passed: createTurnCount(database, aloneMs) };
  let last: Promise<unknown> = Promise.resolve();

  async function take(turn: TurnKey, happening: RetriedHappening): Promise<Advanced | undefined> {
    const count = counts[happening.type];
    const attempts = await retryBriefly(() => count.begin(turn));
    if (attempts === undefined) return happening.type === "time_passed" ? undefined : advance(turn.run_id, happening);
    try {
      if (attempts < mostEnded) return await advance(turn.run_id, happening);
      const { type: _, ...result } = happening;
      return await advance(turn.run_id, { type: "given_up", processes: mostEnded, ...result });
    } finally {
      // If this fails, the count is only one too high.
      await retryBriefly(() => count.end(turn)).catch(() => undefined);
    }
  }

  return (runId, happening) => {
    const cause = happening.type === "result_received" ? happening.result.task_id : "time";
    const taken = last.then(() => take({ run_id: runId, cause }, happening));
    last = taken.catch(() => undefined);
    return taken;
  };
}
