import type { NewAuditEvent } from "@crosszone/audit";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText, createGroupCommit, now } from "@crosszone/sql";
import { sql } from "kysely";
import { answerConditions, type ConditionAnswers } from "../expressions/evaluate-on-thread.ts";
import type { UnchangingRunRow } from "../store/run-row.ts";
import { runContext, type StoredRun } from "../store/stored-run.ts";
import { commitTurns, type TurnDeps } from "./commit-turns.ts";
import { type Turn, turnOf } from "./turn.ts";

export interface NewRun {
  readonly run: StoredRun;
  readonly requestKey: string | null;
  readonly definition: string;
  /** The conditions that its first steps need. */
  readonly answers: ConditionAnswers;
  readonly act?: NewAuditEvent | undefined;
}

/** Maximum number of runs in one write, if they are small. */
const mostRuns = 100;

/**
 * Returns a function that stores a run with its first steps and calls in one change, so that every stored run is started.
 * Concurrent runs share a write. Resolves with the stored run; undefined if another run has its id or its request key.
 */
export function createStoreNewRun(deps: TurnDeps): (item: NewRun) => Promise<StoredRun | undefined> {
  const { database, clock, codec } = deps;

  async function readClock(): Promise<number> {
    const { rows } = await sql<{ at: number }>`select ${now(database.engine)} as at`.execute(database.db);
    const at = rows[0]?.at ?? Date.now();
    clock.learn(at);
    return at;
  }

  async function commit(items: readonly NewRun[]): Promise<readonly (StoredRun | undefined)[]> {
    // Of several requests with one id, the first is stored; the others find its run.
    const byId = Map.groupBy(items, ({ run }) => run.record.run_id);
    const firstOf = (runId: string): NewRun => byId.get(runId)?.[0] as NewRun;
    const at = clock.now() ?? (await readClock());
    const turns = new Map([...byId.keys()].map((runId) => [firstOf(runId), startedAt(firstOf(runId), at)]));
    const rowOf = (run: StoredRun) => unchangingRow(run, firstOf(run.record.run_id), codec);
    const { stored, confirm } = await commitTurns(deps, [...turns.values()], { rowOf });
    confirm();
    return items.map((item) => {
      const turn = turns.get(item);
      return turn && stored.get(turn);
    });
  }

  return createGroupCommit(commit, { most: mostRuns, sizeOf: ({ run }) => run.bytes });
}

function startedAt({ run, answers, act }: Omit<NewRun, "requestKey" | "definition">, at: number): Turn {
  const before = { ...run, createdAt: at, record: { ...run.record, updated_at: at } };
  return turnOf(before, [{ runId: run.record.run_id, event: { type: "run_started" }, answers, act }], at);
}

/** Evaluates the conditions that a run's first steps need. */
export async function answersToStart(run: StoredRun): Promise<ConditionAnswers> {
  const answers: ConditionAnswers = new Map();
  for (let usedMs = 0; ;) {
    const { asks } = startedAt({ run, answers }, run.createdAt);
    if (asks === undefined) return answers;
    usedMs = await answerConditions(asks, answers, usedMs);
  }
}

/** Returns the columns of a run that never change. */
function unchangingRow(
  { record: { run_id }, plan, origin, team, createdAt }: StoredRun,
  { requestKey, definition }: NewRun,
  codec: RecordCodec,
): UnchangingRunRow {
  const { correlation_id, requester, ...rest } = origin;
  const sealed = requester && codec.toColumn(requester, runContext("requester", run_id));
  const { workflow_id, version, name } = plan.definition;
  return {
    request_key: requestKey,
    workflow_id,
    version,
    name: columnText(name),
    created_at: createdAt,
    team,
    correlation_id: columnText(correlation_id),
    record: JSON.stringify({ ...rest, requester: sealed }),
    definition,
    input: codec.toColumn(plan.input, runContext("input", run_id)),
  };
}
