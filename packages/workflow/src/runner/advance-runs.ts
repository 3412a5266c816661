import { createGroupCommit, isTransient } from "@crosszone/sql";
import type { StoredRun } from "../store/stored-run.ts";
import { createAdvanceStored } from "./advance-stored.ts";
import { answerConditions } from "../expressions/evaluate-on-thread.ts";
import {
  type AdvanceDeps,
  type AdvanceRun,
  hasChanged,
  type ItemOutcome,
  outcomesOf,
  type RunItem,
  turnOfItems,
} from "./advance.ts";
import { storeTurns } from "./store-turns.ts";

/**
 * PostgreSQL performs best with two small groups at once; with one, all runs would advance in lockstep. SQLite has one writer, and each
 * commit flushes.
 */
const groups = {
  postgres: { most: 32, concurrency: 2 },
  sqlite: { most: 100, concurrency: 1 },
} as const;

/** Maximum number of events in one transaction that reads runs, if they are small. */
const mostStored = 100;

/**
 * Returns a function that applies events to runs. Each event is one atomic change: the run's new state, its steps, the end of
 * the call whose result it is, and the next calls. No process owns a run. A process computes the change of a run that it
 * changed last and writes it only if the run is unchanged; otherwise it locks the run's row and reads it. Concurrent events share
 * a write, and those of one run a change.
 */
export function createAdvance(deps: AdvanceDeps): AdvanceRun {
  const { database, cache, clock } = deps;
  const sizeOf = ({ happening }: RunItem): number =>
    "result" in happening && happening.result ? JSON.stringify(happening.result.output_data).length : 0;
  const advanceStored = createGroupCommit(createAdvanceStored(deps), { most: mostStored, sizeOf });
  const keyOf = ({ runId }: RunItem): string => runId;
  const known = createGroupCommit(advanceKnown, { ...groups[database.engine], sizeOf, keyOf });

  /** Advances runs that this process has in its cache. Returns undefined for others, and where nothing changes. */
  async function advanceKnown(items: readonly RunItem[]): Promise<readonly (ItemOutcome | undefined)[]> {
    const at = clock.now();
    if (at === undefined) return items.map(() => undefined);
    const turns = [...Map.groupBy(items, ({ runId }) => runId)].flatMap(([runId, all]) => {
      const before = cache.latest(runId);
      const turn = before && turnOfItems(before, all, at);
      return turn && (turn.asks || hasChanged(turn)) ? [turn] : [];
    });
    const [asking, changing] = [turns.filter(({ asks }) => asks), turns.filter(hasChanged)];
    const waiting = asking.map(({ before }) => before);
    if (changing.length === 0) return outcomesOf(items, { turns, stored: waiting });
    try {
      const { stored, confirm } = await storeTurns(deps, changing);
      confirm();
      for (const { before } of changing) if (!stored.some(isOf(before))) cache.drop(before.record.run_id);
      return outcomesOf(items, { turns, stored: [...stored, ...waiting] });
    } catch (error) {
      if (isTransient(error)) throw error;
      // One of them can't be written; the others must not fail with it.
      return items.map(() => undefined);
    }
  }

  return async (runId, happening) => {
    const item = { runId, happening, answers: new Map() };
    for (let usedMs = 0; ;) {
      const outcome = (await known(item)) ?? (await advanceStored(item));
      if (outcome?.asks === undefined) return outcome;
      usedMs = await answerConditions(outcome.asks, item.answers, usedMs);
    }
  };
}

const isOf =
  ({ record: { run_id } }: StoredRun) =>
  ({ record }: StoredRun): boolean =>
    record.run_id === run_id;
