import type { StepState, WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import type { RunRecord } from "./run-record.ts";
import { survey } from "./survey.ts";

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly type: WorkflowStep["type"];
  readonly agent_name?: string;
  readonly state: StepState;
  /** The node that it is drawn inside of. */
  readonly parent?: string;
  readonly done?: number;
  readonly total?: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `next` leads on, `inside` from a step to the first of what it is made of. */
  readonly kind: "next" | "inside";
  /** The branch of a fork, or `true` and `false` of a condition. */
  readonly label?: string;
  /** Whether the run went there. */
  readonly is_taken: boolean;
}

export interface RunGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The picture of a run: each step of its definition is a node, in the state of all its instances together. */
export function graphOf(definition: WorkflowDefinition, run: RunRecord): RunGraph {
  const steps = survey(definition, run);
  return {
    nodes: steps.map(({ parent, progress, state, step }) => ({
      id: step.id,
      title: step.title ?? step.id,
      type: step.type,
      ...(step.type === "agent" && { agent_name: step.agent_name }),
      state,
      ...(parent !== undefined && { parent }),
      ...progress,
    })),
    edges: steps.flatMap(({ lane, parent, previous, state, step }): readonly GraphEdge[] => {
      const is_taken = state !== "pending" && state !== "skipped";
      if (previous !== undefined) return [{ from: previous, to: step.id, kind: "next", is_taken }];
      if (parent === undefined) return [];
      const label = lane !== undefined && { label: lane };
      return [{ from: parent, to: step.id, kind: "inside", ...label, is_taken }];
    }),
  };
}
