import { patiently, type Database } from "@crosszone/sql";
import { createTurnCount, type TurnKey } from "../store/count-turns.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { Advanced, AdvanceRun, RunHappening } from "./advance-runs.ts";

/** Advances a run by an event that was there before, and of which nothing became: perhaps because it ended the process. */
export type AdvanceAgain = (runId: string, happening: AgainHappening) => Promise<Advanced | undefined>;

export type AgainHappening = { readonly type: "time_passed" } | Extract<RunHappening, { type: "result_received" }>;

export interface AdvanceAgainDeps {
  readonly database: Database<WorkflowTables>;
  readonly advance: AdvanceRun;
}

/** A turn that ended so many processes ends no other: its run is given up. The first time it was not counted. */
const mostEnded = 3;

/** For so long no other process tells a run the time, milliseconds: longer than a turn may take. */
const aloneMs = 10_000;

const patience = { budgetMs: 1_000 };

/**
 * Counts, durably, how often a turn was begun, and gives its run up when the turn has ended the process again and again. One turn at a time, so
 * that no other run is counted with the one that ends the process.
 */
export function createAdvanceAgain({ database, advance }: AdvanceAgainDeps): AdvanceAgain {
  // A message has one consumer at a time; everybody tells runs the time.
  const counts = { result_received: createTurnCount(database, 0), time_passed: createTurnCount(database, aloneMs) };
  let last: Promise<unknown> = Promise.resolve();

  async function take(turn: TurnKey, happening: AgainHappening): Promise<Advanced | undefined> {
    const count = counts[happening.type];
    const attempts = await patiently(() => count.begin(turn), patience);
    if (attempts === undefined) return happening.type === "time_passed" ? undefined : advance(turn.run_id, happening);
    try {
      if (attempts < mostEnded) return await advance(turn.run_id, happening);
      const result = happening.type === "result_received" ? { result: happening.result } : {};
      return await advance(turn.run_id, { type: "given_up", processes: mostEnded, ...result });
    } finally {
      // A count that stays behind is one too many, and no more than that.
      await patiently(() => count.end(turn), patience).catch(() => undefined);
    }
  }

  return (runId, happening) => {
    const cause = happening.type === "result_received" ? happening.result.task_id : "time";
    const taken = last.then(() => take({ run_id: runId, cause }, happening));
    last = taken.catch(() => undefined);
    return taken;
  };
}
