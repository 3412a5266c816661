import type { RunGraph, StepState, WorkflowRunEvent, WorkflowStepRecord } from "@crosszone/contracts";
import { isOver } from "../api/run-events.ts";
import { shortDuration } from "../text/terminal-text.ts";

/** The state of a step, all its iterations together. */
export interface StepLine {
  readonly id: string;
  readonly title: string;
  /** Its agent, or what it waits for. */
  readonly agent?: string;
  readonly state: StepState;
  /** Nesting depth. */
  readonly depth: number;
  /** For a loop, its items; inside a loop, its iterations. */
  readonly done?: number;
  readonly total?: number;
  /** Duration so far, or in total, milliseconds. */
  readonly elapsedMs?: number;
}

/** Returns the text after a step's title: its agent, the progress of a loop, the duration. */
export function stepRest(
  { agent, done, total, elapsedMs }: StepLine,
  { withTime }: { readonly withTime: boolean },
): string {
  const count = done === undefined || total === undefined ? undefined : `${done}/${total}`;
  const time = elapsedMs === undefined || !withTime ? undefined : shortDuration(elapsedMs);
  return [agent, count, time].filter((part) => part !== undefined).join(" · ");
}

type Node = RunGraph["nodes"][number];

/** The steps of a run, merged from its graph, which is complete, and its events, which are sooner and have times. */
export function createRunSteps() {
  let graph: { readonly nodes: readonly Node[]; readonly revision: number } = { nodes: [], revision: -1 };
  const latestSteps = new Map<string, { readonly revision: number; readonly step: WorkflowStepRecord }>();

  /** A step outside a loop runs once, and its path is its id, so an event has its complete state. */
  function stateOf({ id, state }: Node): StepState {
    const latest = latestSteps.get(id);
    return latest !== undefined && latest.revision > graph.revision ? latest.step.state : state;
  }

  function elapsedOf(steps: readonly WorkflowStepRecord[], state: StepState, now: number): number | undefined {
    const starts = steps.flatMap(({ started_at }) => (started_at === undefined ? [] : [Date.parse(started_at)]));
    if (starts.length === 0 || state === "pending") return undefined;
    const ends = steps.flatMap(({ ended_at }) => (ended_at === undefined ? [] : [Date.parse(ended_at)]));
    if (isOver(state) && ends.length === 0) return undefined;
    // The zone's clock may be ahead of this one.
    return Math.max(0, (isOver(state) ? Math.max(...ends) : now) - Math.min(...starts));
  }

  return {
    addEvent: (event: WorkflowRunEvent): void => {
      if (event.type === "step") latestSteps.set(event.step.path, event);
    },
    setGraph: (latest: RunGraph): void => {
      if (latest.revision >= graph.revision) graph = latest;
    },
    /** `now`: milliseconds since 1970. */
    lines: (now: number): readonly StepLine[] => {
      const byStep = Map.groupBy(
        [...latestSteps.values()].map(({ step }) => step),
        ({ step_id }) => step_id,
      );
      const parents = new Map(graph.nodes.map(({ id, parent }) => [id, parent]));
      return graph.nodes.map((node) => {
        const { id, title, type } = node;
        const state = stateOf(node);
        const agent = (state === "running" ? waits[type] : undefined) ?? node.agent_name;
        // The graph's count is older than the end of the step.
        const { done, total }: Partial<Node> = isOver(state) && state !== node.state ? {} : node;
        const elapsedMs = elapsedOf(byStep.get(id) ?? [], state, now);
        return { id, title, state, depth: depthOf(id, parents), agent, done, total, elapsedMs };
      });
    },
  };
}

/** What running steps without an agent do. */
const waits: { readonly [Type in Node["type"]]?: string } = {
  human: "waits for people",
  wait: "waits",
  workflow: "runs a workflow",
  prompt: "calls the model",
};

function depthOf(id: string, parents: ReadonlyMap<string, string | undefined>): number {
  let depth = 0;
  for (let at = parents.get(id); at !== undefined && depth < parents.size; at = parents.get(at)) depth += 1;
  return depth;
}
