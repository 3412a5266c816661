import { type Emit, emitWith } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { isEnded, type RunRecord, type StepRecord } from "../state/run-record.ts";
import type { Turn } from "./turn.ts";

/**
 * Reports a durable change of a run, in the process that caused it: with ids and durations in milliseconds, and without text of people or
 * agents.
 */
export function reportTurn(emit: Emit<ExecutionEvent>, { before, after, steps, fault }: Turn): void {
  const { record, plan, origin } = before;
  const { correlation_id, headers } = origin;
  const { workflow_id } = plan.definition;
  const report = emitWith(emit, {
    run_id: record.run_id,
    workflow_id,
    correlation_id,
    traceparent: headers["traceparent"],
  });
  if (record.state === "pending" && after.state !== "pending") report("run_started");
  if (isEnded(record)) report("run_reopened");
  for (const { path, step } of steps) {
    const { attempt, state } = step;
    if (state === "pending") continue;
    if (state === "running") report("step_started", { path, attempt, state });
    else report("step_ended", { path, attempt, state, duration_ms: durationOf(step) });
  }
  if (fault !== undefined) report("run_broken", { cause: fault });
  if (isEnded(after)) report("run_ended", { state: after.state, duration_ms: durationOf(after) });
}

/** Returns how long an ended step or run took, milliseconds; 0 if it never started. */
const durationOf = ({ started_at, ended_at }: StepRecord | RunRecord): number =>
  started_at === undefined || ended_at === undefined ? 0 : ended_at - started_at;
