import type { WorkflowStep } from "@crosszone/contracts";
import { stepOf } from "./run-plan.ts";
import type { StepRecord } from "./run-record.ts";
import type { RunView } from "./run-view.ts";
import { laneEnd } from "./lane-end.ts";
import { splitOf, type Lane } from "./split.ts";
import { stepIdOf } from "./step-path.ts";

/**
 * Returns the output of a step, any JSON; null if it has not succeeded. Agent step: the agent's answer. Parallel: an object by step.
 * Conditional: the output of the last step in the branch that ran. Loop: an array with the output of the body's last step for each item; a
 * failed item is `null` (`continue`) or `{error}` (`collect`). Fork: an object by succeeded branch.
 */
export function outputOf(view: RunView, path: string): unknown {
  const record = view.steps.get(path);
  if (record?.state !== "succeeded") return null;
  const step = stepOf(view.definition, stepIdOf(path));
  if (step.type === "agent") return record.output ?? null;
  const known = knownOutputs.get(record) ?? { output: putTogether(view, path, { record, step }) };
  knownOutputs.set(record, known);
  return known.output;
}

/** Caches outputs of composite steps by record. The content of a succeeded step never changes, and a large loop has many items. */
const knownOutputs = new WeakMap<StepRecord, { readonly output: unknown }>();

function putTogether(
  view: RunView,
  path: string,
  { record, step }: { readonly record: StepRecord; readonly step: WorkflowStep },
): unknown {
  const { lanes } = splitOf(view, path, record);
  if (step.type === "conditional") return lanes[0] ? laneOutput(view, lanes[0]) : null;
  if (step.type === "loop") {
    return lanes.map((lane) => laneOutput(view, lane, step.loop_config.on_error === "collect"));
  }
  const isSeen = (lane: Lane): boolean => step.type === "parallel" || laneEnd(view, lane).state === "succeeded";
  return Object.fromEntries(lanes.filter(isSeen).map((lane) => [lane.name, laneOutput(view, lane)]));
}

/** Returns the output of a lane's last step. */
export function laneOutput(view: RunView, lane: Lane, withError = false): unknown {
  const end = laneEnd(view, lane);
  if (end.state === "failed" && withError) return { error: end.error };
  return end.state === "succeeded" && end.last !== undefined ? outputOf(view, end.last) : null;
}
