import { transactAndSend } from "@crosszone/bus";
import type { AgentResult } from "@crosszone/contracts";
import { createGroupCommit, type Database } from "@crosszone/sql";
import { endUnreadable } from "../store/end-unreadable.ts";
import { holdRuns, type HoldDeps } from "../store/hold-runs.ts";
import type { StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { turnOf, type RunTurn } from "./run-turn.ts";
import { observeTurn, storeTurns, type StoreTurnsDeps } from "./store-turns.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";

/** An event of a run without its time, which the database adds. */
export type RunHappening =
  | { readonly type: "run_started" | "time_passed" }
  /** `request` identifies the request, so that a repetition after a lost response has no further effect. */
  | { readonly type: "cancel_requested" | "retry_requested"; readonly request: string }
  | { readonly type: "result_received"; readonly result: AgentResult }
  | { readonly type: "given_up"; readonly processes: number; readonly result?: AgentResult };

/** The run after an event. */
export interface Advanced {
  readonly run: StoredRun;
  /** False when the event was late or repeated. For a repeated request, true if its first occurrence changed the run. */
  readonly hasChanged: boolean;
}

export type AdvanceRun = (runId: string, happening: RunHappening) => Promise<Advanced | undefined>;

export interface AdvanceDeps extends HoldDeps, StoreTurnsDeps {
  readonly database: Database<WorkflowTables>;
  readonly observer: WorkflowObserver;
  /** Receives the ids of changed runs once the change is durable. */
  readonly onChanged: (runIds: readonly string[]) => void;
}

interface Item {
  readonly runId: string;
  readonly happening: RunHappening;
}

/** Maximum number of events in one transaction, if they are small. */
const mostEvents = 100;

/**
 * Returns a function that applies events to runs. Each event is one atomic change: the run's new state, its steps, and the messages that
 * dispatch and cancel tasks. No process owns a run: the process that has an event locks the run's row, and the others wait. Concurrent
 * events share a transaction.
 */
export function createAdvance(deps: AdvanceDeps): AdvanceRun {
  const { database, cache, codec, outbox, observer, onChanged } = deps;

  async function commit(items: readonly Item[]): Promise<readonly (Advanced | undefined)[]> {
    const byRun = Map.groupBy(items, ({ runId }) => runId);
    const { turns, stored, unreadable } = await transactAndSend(database, outbox, async (transaction) => {
      const { at, runs, unreadable: sealed } = await holdRuns(transaction, deps, [...byRun.keys()]);
      const taken = [...runs].map(([runId, run]) =>
        turnOf(
          run,
          (byRun.get(runId) ?? []).map(({ happening }) => ({ ...happening, at })),
        ),
      );
      const changed = taken.filter(hasChanged);
      await endUnreadable(transaction, codec, { ids: [...sealed.keys()], at });
      return { turns: taken, stored: await storeTurns(transaction, deps, changed), unreadable: sealed };
    });
    for (const run of stored) cache.put(run);
    for (const turn of turns.filter(hasChanged)) observeTurn(observer, turn);
    for (const [runId, cause] of unreadable) observer.runUnreadable(runId, cause);
    onChanged([...stored.map(({ record }) => record.run_id), ...unreadable.keys()]);
    return outcomesOf(items, { turns, stored });
  }

  const advance = createGroupCommit(commit, {
    most: mostEvents,
    sizeOf: ({ happening }) =>
      happening.type === "result_received" ? JSON.stringify(happening.result.output_data).length : 0,
  });
  return (runId, happening) => advance({ runId, happening });
}

const hasChanged = ({ before, after }: RunTurn): boolean => before.record !== after;

/** Returns the outcome of each item in order; events of a run have the order of its items. */
function outcomesOf(
  items: readonly Item[],
  { turns, stored }: { readonly turns: readonly RunTurn[]; readonly stored: readonly StoredRun[] },
): (Advanced | undefined)[] {
  const runs = new Map([...turns.map(({ before }) => before), ...stored].map((run) => [run.record.run_id, run]));
  const changes = new Map(turns.map(({ before, hasChanged: each }) => [before.record.run_id, each.values()]));
  return items.map(({ runId }) => {
    const run = runs.get(runId);
    return run && { run, hasChanged: changes.get(runId)?.next().value === true };
  });
}
