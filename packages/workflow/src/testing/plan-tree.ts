import type { WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import * as fc from "fast-check";

/** A step with its inner steps, as written in a test. Each type of step reads some of the settings. */
interface PlanNode {
  readonly type: "agent" | "human" | "workflow" | "prompt" | "wait" | "parallel" | "conditional" | "loop" | "fork_join";
  readonly goesOn: boolean;
  readonly isMapped: boolean;
  readonly timeoutMs: number | undefined;
  readonly waitsForEvent: boolean;
  readonly waitMs: number;
  readonly bound: number | undefined;
  readonly condition: string;
  readonly items: number;
  readonly isParallel: boolean;
  readonly onError: "stop" | "continue" | "collect";
  readonly policy: "all" | "any" | "majority" | "n_of_m";
  readonly required: number;
  readonly lanes: readonly (readonly PlanNode[])[];
}

/** A node with its id. */
export interface Planned {
  readonly id: string;
  readonly node: PlanNode;
  /** Its inner lanes. */
  readonly lanes: readonly (readonly Planned[])[];
}

const rarely = fc.integer({ min: 0, max: 14 }).map((value) => value === 0);

const settings = {
  goesOn: fc.boolean(),
  isMapped: rarely.map((value) => !value),
  timeoutMs: fc.option(fc.integer({ min: 100, max: 2000 }), { nil: undefined }),
  waitsForEvent: fc.boolean(),
  waitMs: fc.integer({ min: 1, max: 90_000 }),
  bound: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  condition: fc.constantFrom("true", "true", "false", "false", "workflow.input.nowhere == 1"),
  items: fc.integer({ min: 0, max: 5 }),
  isParallel: fc.boolean(),
  onError: fc.constantFrom("stop" as const, "continue" as const, "collect" as const),
  policy: fc.constantFrom("all" as const, "any" as const, "majority" as const, "n_of_m" as const),
  required: fc.integer({ min: 1, max: 3 }),
};

const nodesOf = (type: PlanNode["type"], lanes: fc.Arbitrary<PlanNode["lanes"]> = fc.constant([])) =>
  fc.record({ type: fc.constant(type), ...settings, ...(type === "agent" && { goesOn: rarely }), lanes });

/** Random sequences of steps of all types, three deep at most. */
export const planNodes: fc.Arbitrary<readonly PlanNode[]> = fc.letrec<{ node: PlanNode; lane: readonly PlanNode[] }>(
  (tie) => {
    const lane = fc.array(tie("node"), { minLength: 1, maxLength: 3, depthIdentifier: "plan" });
    return {
      lane,
      node: fc.oneof(
        { maxDepth: 3, depthSize: "small", depthIdentifier: "plan" },
        { arbitrary: nodesOf("agent"), weight: 3 },
        nodesOf("human"),
        nodesOf("workflow"),
        nodesOf("prompt"),
        nodesOf("wait"),
        nodesOf(
          "parallel",
          lane.map((inside) => inside.map((node) => [node])),
        ),
        nodesOf("conditional", fc.tuple(lane, fc.oneof(lane, fc.constant([])))),
        nodesOf("loop", fc.tuple(lane)),
        nodesOf("fork_join", fc.array(lane, { minLength: 1, maxLength: 4 })),
      ),
    };
  },
).lane;

/** Gives each node an id, in order of appearance. */
export function planned(nodes: readonly PlanNode[]): readonly Planned[] {
  let count = 0;
  const number = (node: PlanNode): Planned => {
    count += 1;
    return { id: `s${String(count)}`, node, lanes: node.lanes.map((lane) => lane.map(number)) };
  };
  return nodes.map(number);
}

/** Returns all nodes, including inner ones. */
export function allPlanned(lane: readonly Planned[]): readonly Planned[] {
  return lane.flatMap((step) => [step, ...step.lanes.flatMap(allPlanned)]);
}

export function definitionOf(lane: readonly Planned[]): WorkflowDefinition {
  const steps: Record<string, WorkflowStep> = {};
  addLane(steps, lane, true);
  return { workflow_id: "w", name: "w", version: "1", start_step: lane[0]?.id ?? "", steps };
}

function addLane(steps: Record<string, WorkflowStep>, lane: readonly Planned[], isChained: boolean): void {
  for (const [index, step] of lane.entries()) {
    steps[step.id] = { ...stepOf(step), next_step: isChained ? (lane[index + 1]?.id ?? null) : null };
    for (const inner of step.lanes) addLane(steps, inner, step.node.type === "conditional");
  }
}

function stepOf({ id, lanes, node }: Planned): WorkflowStep {
  const ids = lanes.map((lane) => lane.map((step) => step.id));
  const { type, timeoutMs: timeout_ms, bound: max_parallelism } = node;
  const goOn = node.goesOn ? "continue" : "fail";
  switch (type) {
    case "agent": {
      const input_mapping = node.isMapped ? { of: id } : "${workflow.input.nowhere}";
      return { id, type, agent_name: "any", input_mapping, on_error: goOn, timeout_ms };
    }
    case "human":
      return { id, type, input: "approve", prompt: id, on_denied: goOn };
    case "workflow":
      return { id, type, workflow: "any", on_error: goOn, timeout_ms };
    case "prompt":
      return { id, type, prompt: id, on_error: goOn, timeout_ms };
    case "wait": {
      const event = { name: "any", key: id, timeout_ms: node.waitMs, on_timeout: goOn } as const;
      return { id, type, ...(node.waitsForEvent ? { event } : { for_ms: 1 }) };
    }
    case "parallel":
      return { id, type, parallel_steps: ids.flat(), on_error: goOn, max_parallelism };
    case "conditional": {
      const [[if_true_step = null] = [], [if_false_step = null] = []] = ids;
      return { id, type, condition: { expression: node.condition }, if_true_step, if_false_step };
    }
    case "loop": {
      const collection = Array.from({ length: node.items }, (_, index) => `item ${String(index)}`);
      const execution_mode = node.isParallel ? "parallel" : "sequential";
      const loop_body = ids.flat();
      return {
        id,
        type,
        loop_config: { collection, loop_body, execution_mode, on_error: node.onError, max_parallelism },
      };
    }
    case "fork_join":
      break;
  }
  const branches = Object.fromEntries(ids.map((steps, index) => [`b${String(index)}`, { steps }]));
  const n_required = node.policy === "n_of_m" ? Math.min(node.required, ids.length) : undefined;
  // The time of its waits would decide.
  const hasWaits = lanes.flatMap(allPlanned).some((inner) => inner.node.type === "wait");
  const branch_timeout_ms = hasWaits ? undefined : timeout_ms;
  return { id, type, fork_join_config: { branches, join_policy: node.policy, n_required, branch_timeout_ms } };
}
