import { retryTransient, type Database } from "@crosszone/sql";
import { createTurnCount, type TurnKey } from "../store/count-turns.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { Advanced, AdvanceRun, RunHappening } from "./advance.ts";

/** Advances a run by an event that was received before but never completed, perhaps because it crashed the process. */
export type AdvanceAgain = (runId: string, happening: AgainHappening) => Promise<Advanced | undefined>;

export type AgainHappening = { readonly type: "time_passed" } | Extract<RunHappening, { type: "result_received" }>;

export interface AdvanceAgainDeps {
  readonly database: Database<WorkflowTables>;
  readonly advance: AdvanceRun;
}

/** Number of processes that a turn can end. The first attempt is not counted, so the third retry gives the run up. */
const mostEnded = 3;

/** How long a timer is reserved for one process, milliseconds. Longer than a turn takes. */
const aloneMs = 10_000;

const patience = { budgetMs: 1_000 };

/**
 * Returns a function that durably counts how often a turn was started, and gives up the run when the turn repeatedly crashed its process.
 * It runs one turn at a time, so that a crash counts only for the run that caused it.
 */
export function createAdvanceAgain({ database, advance }: AdvanceAgainDeps): AdvanceAgain {
  // A result is held by one process at a time, but every process runs timers.
  const counts = { result_received: createTurnCount(database, 0), time_passed: createTurnCount(database, aloneMs) };
  let last: Promise<unknown> = Promise.resolve();

  async function take(turn: TurnKey, happening: AgainHappening): Promise<Advanced | undefined> {
    const count = counts[happening.type];
    const attempts = await retryTransient(() => count.begin(turn), patience);
    if (attempts === undefined) return happening.type === "time_passed" ? undefined : advance(turn.run_id, happening);
    try {
      if (attempts < mostEnded) return await advance(turn.run_id, happening);
      const { type: _, ...result } = happening;
      return await advance(turn.run_id, { type: "given_up", processes: mostEnded, ...result });
    } finally {
      // If this fails, the count is only one too high.
      await retryTransient(() => count.end(turn), patience).catch(() => undefined);
    }
  }

  return (runId, happening) => {
    const cause = happening.type === "result_received" ? happening.result.task_id : "time";
    const taken = last.then(() => take({ run_id: runId, cause }, happening));
    last = taken.catch(() => undefined);
    return taken;
  };
}
