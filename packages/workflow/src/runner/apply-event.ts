import type { NewAuditEvent } from "@crosszone/audit";
import { createGroupCommit, isTransient } from "@crosszone/sql";
import { answerConditions } from "../expressions/evaluate-on-thread.ts";
import type { RunEvent } from "../run/run-events.ts";
import { createApplyStored } from "./apply-stored.ts";
import { commitTurns, type TurnDeps } from "./commit-turns.ts";
import { type AppliedEvent, hasChanged, outcomesOf, type RunItem, turnOf } from "./turn.ts";

/** Applies an event to a run, which may be an act for the audit log. Resolves with undefined if the run does not exist. */
export type ApplyEvent = (runId: string, event: RunEvent, act?: NewAuditEvent) => Promise<AppliedEvent | undefined>;

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
 * changed last and writes it only if the run is unchanged; otherwise it reads the run first. Concurrent events share
 * a write, and those of one run a turn.
 */
export function createApplyEvent(deps: TurnDeps): ApplyEvent {
  const { database, cache, clock, jobs } = deps;
  const sizeOf = ({ event }: RunItem): number =>
    "result" in event && event.result ? JSON.stringify(event.result.output_data).length : 0;
  const keyOf = ({ runId }: RunItem): string => runId;
  const applyCached = createGroupCommit(applyToCached, { ...groups[database.engine], sizeOf, keyOf });
  const applyStored = createGroupCommit(createApplyStored(deps), { most: mostStored, sizeOf });

  /** Applies events to runs of this process's cache. Returns undefined for other runs, and where nothing changes. */
  async function applyToCached(items: readonly RunItem[]): Promise<readonly (AppliedEvent | undefined)[]> {
    const at = clock.now();
    if (at === undefined) return items.map(() => undefined);
    const turns = [...Map.groupBy(items, keyOf)].flatMap(([runId, own]) => {
      const before = cache.latest(runId);
      return before ? turnOf(before, own, at) : [];
    });
    const asking = turns.filter(({ asks }) => asks);
    const outcomes = new Map(asking.flatMap((turn) => outcomesOf(turn, turn.before)));
    const changing = turns.filter(hasChanged);
    try {
      const { stored, confirm } = await commitTurns(deps, changing);
      confirm();
      for (const turn of changing) {
        const run = stored.get(turn);
        if (run === undefined) cache.drop(turn.after.run_id);
        else for (const [item, outcome] of outcomesOf(turn, run)) outcomes.set(item, outcome);
      }
    } catch (error) {
      // If one of them can't be written, the others must not fail with it.
      if (isTransient(error)) throw error;
    }
    return items.map((item) => outcomes.get(item));
  }

  return async (runId, event, act) => {
    const item = { runId, event, act, answers: new Map() };
    for (let usedMs = 0; ;) {
      const cached = await applyCached(item);
      if (cached === undefined) await jobs.settleClock();
      const outcome = cached ?? (await applyStored(item));
      if (outcome?.asks === undefined) return outcome;
      usedMs = await answerConditions(outcome.asks, item.answers, usedMs);
    }
  };
}
