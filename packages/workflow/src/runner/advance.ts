import type { AgentResult } from "@crosszone/contracts";
import type { Database } from "@crosszone/sql";
import type { RunReading, StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { ConditionAnswers, ConditionAsks } from "../expressions/evaluate-on-thread.ts";
import { type EndedCall, type RunTurn, turnOf } from "./run-turn.ts";
import type { StoreTurnsDeps } from "./store-turns.ts";

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
    return run && { run, hasChanged: changes.get(runId)?.next().value === true, ...(asks && { asks }) };
  });
}
