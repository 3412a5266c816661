import type { RunGraph, RunGraphEdge, TaskStep, WorkflowDefinition } from "@crosszone/contracts";
import type { RunRecord } from "../state/run-record.ts";
import { agentOf } from "../steps/step-kinds.ts";
import { survey } from "./survey.ts";

/** Returns the steps of a run as a list for people: one line for each step of the definition, whatever the number of its instances. */
export function progressOf(definition: WorkflowDefinition, run: RunRecord): TaskStep[] {
  return survey(definition, run).map(({ depth, progress, state, step }) => ({
    id: step.id,
    title: step.title ?? step.id,
    uses: agentOf(step),
    state,
    depth,
    ...progress,
  }));
}

/** Returns a run as a graph: each step of its definition is a node with the combined state of its instances. */
export function graphOf(
  definition: WorkflowDefinition,
  run: RunRecord,
): { nodes: RunGraph["nodes"]; edges: RunGraphEdge[] } {
  const steps = survey(definition, run);
  return {
    nodes: steps.map(({ parent, progress, state, step }) => ({
      id: step.id,
      title: step.title ?? step.id,
      type: step.type,
      agent_name: agentOf(step),
      state,
      parent,
      ...progress,
    })),
    edges: steps.flatMap(({ lane, parent, previous, state, step }): RunGraphEdge[] => {
      const is_taken = state !== "pending" && state !== "skipped";
      if (previous !== undefined) return [{ from: previous, to: step.id, kind: "next", is_taken }];
      if (parent === undefined) return [];
      return [{ from: parent, to: step.id, kind: "inside", label: lane, is_taken }];
    }),
  };
}
