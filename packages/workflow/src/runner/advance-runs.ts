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

/** Writes many items together; returns one result for each, in order. */
export type WriteGroup<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface RunGroupsOptions<Item> {
  /** Maximum number of items in one group. */
  readonly most: number;
  /** Maximum number of groups under way. */
  readonly concurrency: number;
  /** Approximate size of an item, bytes. A group takes at most 4 MB plus one item. */
  readonly sizeOf: (item: Item) => number;
}

const mostBytes = 4_000_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent items share a write: items that arrive during writes are written together next. A run is in one group at a
 * time, and its items keep their order. All items of a failed group reject.
 */
export function createRunGroups<Item extends { readonly runId: string }, Result>(
  write: WriteGroup<Item, Result>,
  { most, concurrency, sizeOf }: RunGroupsOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let isPlanned = false;

  function nextGroup(): readonly Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    let bytes = 0;
    for (const one of waiting) {
      const fits = group.length < most && bytes <= mostBytes && !busy.has(one.item.runId);
      if (fits) bytes += sizeOf(one.item);
      (fits ? group : left).push(one);
    }
    waiting = left;
    return group;
  }

  async function run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const runs = new Set(group.map(({ item }) => item.runId));
    for (const id of runs) busy.add(id);
    underWay += 1;
    try {
      const results = await write(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const id of runs) busy.delete(id);
      underWay -= 1;
      flush();
    }
  }

  function flush(): void {
    isPlanned = false;
    while (underWay < concurrency) {
      const group = nextGroup();
      if (group.length === 0) return;
      void run(group);
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isPlanned) return;
      isPlanned = true;
      // Includes the other items of this turn of the event loop.
      setImmediate(flush);
    });
}

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
  const known = createRunGroups(advanceKnown, { ...groups[database.engine], sizeOf });

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
