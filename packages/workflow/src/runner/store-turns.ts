import type { MessageBus } from "@crosszone/bus";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Engine } from "@crosszone/sql";
import type { Transaction } from "kysely";
import { isEnded } from "../run/run-record.ts";
import { changingRunRow } from "../store/run-row.ts";
import { stepRowOf } from "../store/step-row.ts";
import type { StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { changeRuns, putSteps } from "../store/write-runs.ts";
import { durationOf, type RunTurn } from "./run-turn.ts";
import type { RunIds, WorkflowObserver } from "./workflow-observer.ts";

export interface StoreTurnsDeps {
  readonly engine: Engine;
  readonly codec: RecordCodec;
  readonly outbox: MessageBus["outbox"];
}

/** Stores changed runs, whose rows are locked, and publishes their commands, atomically. Returns the runs as stored. */
export async function storeTurns(
  transaction: Transaction<WorkflowTables>,
  { engine, codec, outbox }: StoreTurnsDeps,
  turns: readonly RunTurn[],
): Promise<readonly StoredRun[]> {
  const written = turns.map((turn) => {
    const { before, after, lastRequest } = turn;
    const revision = before.revision + 1;
    const { team } = before;
    const steps = turn.steps.map((step) => stepRowOf(step, { run_id: after.run_id, revision, team }, codec));
    const bytes = steps.reduce((sum, { output }) => sum + 500 + (output?.length ?? 0), before.bytes);
    const stateRevision = after.state === before.record.state ? before.stateRevision : revision;
    const stored: StoredRun = { ...before, record: after, revision, stateRevision, lastRequest, bytes };
    return { steps, row: changingRunRow(after, stored, codec), stored };
  });
  await changeRuns(
    transaction,
    engine,
    written.map(({ row }) => row),
  );
  await putSteps(
    transaction,
    engine,
    written.flatMap(({ steps }) => steps),
  );
  const messages = turns.flatMap((turn) => turn.messages);
  if (messages.length > 0) await outbox.add(transaction, messages);
  return written.map(({ stored }) => stored);
}

/** Reports a durable change to the observer. */
export function observeTurn(observer: WorkflowObserver, { before, after, steps, fault }: RunTurn): void {
  const run = runIdsOf(before);
  const wasEnded = isEnded(before.record);
  if (before.record.state === "pending" && after.state !== "pending") observer.runStarted(run);
  if (wasEnded) observer.runReopened(run);
  for (const { path, step } of steps) {
    const { attempt, state } = step;
    if (state !== "pending") observer.stepChanged(run, { path, attempt, state, durationMs: durationOf(step) });
  }
  if (fault !== undefined) observer.runBroken(run, fault);
  if (isEnded(after)) observer.runEnded(run, { state: after.state, durationMs: durationOf(after) ?? 0 });
}

const runIdsOf = ({ record, plan, origin }: StoredRun): RunIds => ({
  run_id: record.run_id,
  workflow_id: plan.definition.workflow_id,
  correlation_id: origin.correlation_id,
  traceparent: origin.headers.traceparent,
});
