import type { WorkflowStep } from "@crosszone/contracts";
import { stepOf } from "./run-plan.ts";
import type { StepRecord } from "./run-record.ts";
import type { RunView } from "./run-view.ts";
import { laneEnd } from "./lane-end.ts";
import { splitOf, type Lane } from "./split.ts";
import { stepIdOf } from "./step-path.ts";

/**
 * What a step puts out, any JSON; null when it has not succeeded. An agent's step: what the agent answered. A step that is made of others:
 * parallel, an object by step; conditional, what the last step of the way that was taken puts out; loop, an array of what the last step
 * of its body puts out for each item, or `null` (`continue`) or `{error}` (`collect`) for an item that failed; fork, an object by branch of
 * those that succeeded.
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

/** Of steps that are made of others, by their records: what is inside of a step that succeeded never changes, and a large loop has very much. */
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

/** What the last step of a lane puts out. */
export function laneOutput(view: RunView, lane: Lane, withError = false): unknown {
  const end = laneEnd(view, lane);
  if (end.state === "failed" && withError) return { error: end.error };
  return end.state === "succeeded" && end.last !== undefined ? outputOf(view, end.last) : null;
}
