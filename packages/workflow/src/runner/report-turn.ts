import { type Emit, emitWith } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { isEnded } from "../state/run-record.ts";
import { durationOf, type RunTurn } from "./run-turn.ts";

/**
 * Reports a durable change of a run, in the process that caused it: with ids and durations in milliseconds, and without text of people or
 * agents.
 */
export function reportTurn(emit: Emit<ExecutionEvent>, { before, after, steps, fault }: RunTurn): void {
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
    // A step that never started took no time.
    else report("step_ended", { path, attempt, state, duration_ms: durationOf(step) ?? 0 });
  }
  if (fault !== undefined) report("run_broken", { cause: fault });
  if (isEnded(after)) report("run_ended", { state: after.state, duration_ms: durationOf(after) ?? 0 });
}
