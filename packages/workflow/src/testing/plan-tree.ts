import type { WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import * as fc from "fast-check";

/** A step with its inner steps, as written in a test. */
type PlanNode =
  | {
      readonly type: "agent";
      readonly goesOn: boolean;
      readonly isMapped: boolean;
      readonly timeoutMs: number | undefined;
    }
  | { readonly type: "human"; readonly goesOn: boolean }
  | { readonly type: "workflow"; readonly goesOn: boolean; readonly timeoutMs: number | undefined }
  | { readonly type: "prompt"; readonly goesOn: boolean; readonly timeoutMs: number | undefined }
  | { readonly type: "wait"; readonly goesOn: boolean; readonly isForEvent: boolean; readonly ms: number }
  | {
      readonly type: "parallel";
      readonly goesOn: boolean;
      readonly bound: number | undefined;
      readonly inside: readonly PlanNode[];
    }
  | { readonly type: "conditional"; readonly condition: string; readonly ways: readonly (readonly PlanNode[])[] }
  | {
      readonly type: "loop";
      readonly items: number;
      readonly isParallel: boolean;
      readonly bound: number | undefined;
      readonly onError: "stop" | "continue" | "collect";
      readonly body: readonly PlanNode[];
    }
  | {
      readonly type: "fork_join";
      readonly policy: "all" | "any" | "majority" | "n_of_m";
      readonly required: number;
      readonly timeoutMs: number | undefined;
      readonly branches: readonly (readonly PlanNode[])[];
    };

/** A node with its id. */
export interface Planned {
  readonly id: string;
  readonly node: PlanNode;
  /** Its inner lanes. */
  readonly lanes: readonly (readonly Planned[])[];
}

const rarely = fc.integer({ min: 0, max: 14 }).map((value) => value === 0);
const timeoutMs = fc.option(fc.integer({ min: 100, max: 2000 }), { nil: undefined });
const bound = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });

/** Random sequences of steps of all types, three deep at most. */
export const planNodes: fc.Arbitrary<readonly PlanNode[]> = fc.letrec<{ node: PlanNode; lane: readonly PlanNode[] }>(
  (tie) => {
    const lane = fc.array(tie("node"), { minLength: 1, maxLength: 3, depthIdentifier: "plan" });
    const agent = fc.record({
      type: fc.constant("agent" as const),
      goesOn: rarely,
      isMapped: rarely.map((value) => !value),
      timeoutMs,
    });
    return {
      lane,
      node: fc.oneof(
        { maxDepth: 3, depthSize: "small", depthIdentifier: "plan" },
        { arbitrary: agent, weight: 3 },
        fc.record({ type: fc.constant("human" as const), goesOn: fc.boolean() }),
        fc.record({ type: fc.constant("workflow" as const), goesOn: fc.boolean(), timeoutMs }),
        fc.record({ type: fc.constant("prompt" as const), goesOn: fc.boolean(), timeoutMs }),
        fc.record({
          type: fc.constant("wait" as const),
          goesOn: fc.boolean(),
          isForEvent: fc.boolean(),
          ms: fc.integer({ min: 1, max: 90_000 }),
        }),
        fc.record({ type: fc.constant("parallel" as const), goesOn: fc.boolean(), bound, inside: lane }),
        fc.record({
          type: fc.constant("conditional" as const),
          condition: fc.constantFrom("true", "true", "false", "false", "workflow.input.nowhere == 1"),
          ways: fc.tuple(lane, fc.oneof(lane, fc.constant([]))),
        }),
        fc.record({
          type: fc.constant("loop" as const),
          items: fc.integer({ min: 0, max: 5 }),
          isParallel: fc.boolean(),
          bound,
          onError: fc.constantFrom("stop" as const, "continue" as const, "collect" as const),
          body: lane,
        }),
        fc.record({
          type: fc.constant("fork_join" as const),
          policy: fc.constantFrom("all" as const, "any" as const, "majority" as const, "n_of_m" as const),
          required: fc.integer({ min: 1, max: 3 }),
          timeoutMs,
          branches: fc.array(lane, { minLength: 1, maxLength: 4 }),
        }),
      ),
    };
  },
).lane;

/** Gives each node an id, in order of appearance. */
export function planned(nodes: readonly PlanNode[]): readonly Planned[] {
  let count = 0;
  const number = (node: PlanNode): Planned => {
    count += 1;
    return { id: `s${String(count)}`, node, lanes: lanesOf(node).map((lane) => lane.map(number)) };
  };
  return nodes.map(number);
}

function lanesOf(node: PlanNode): readonly (readonly PlanNode[])[] {
  if (node.type === "agent" || node.type === "human" || node.type === "wait") return [];
  if (node.type === "workflow" || node.type === "prompt") return [];
  if (node.type === "parallel") return node.inside.map((inside) => [inside]);
  if (node.type === "loop") return [node.body];
  return node.type === "conditional" ? node.ways : node.branches;
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

function stepOf(given: Planned): WorkflowStep {
  const { id, lanes, node } = given;
  const ids = lanes.map((lane) => lane.map((step) => step.id));
  if (node.type === "agent") {
    return {
      id,
      type: "agent",
      agent_name: "any",
      input_mapping: node.isMapped ? { of: id } : "${workflow.input.nowhere}",
      on_error: node.goesOn ? "continue" : "fail",
      timeout_ms: node.timeoutMs,
    };
  }
  if (node.type === "human")
    return { id, type: "human", input: "approve", prompt: id, on_denied: node.goesOn ? "continue" : "fail" };
  if (node.type === "workflow" || node.type === "prompt") {
    const more = { on_error: node.goesOn ? "continue" : "fail", timeout_ms: node.timeoutMs } as const;
    return node.type === "prompt"
      ? { id, type: "prompt", prompt: id, ...more }
      : { id, type: "workflow", workflow: "any", ...more };
  }
  if (node.type === "wait") {
    const event = { name: "any", key: id, timeout_ms: node.ms, on_timeout: node.goesOn ? "continue" : "fail" } as const;
    return { id, type: "wait", ...(node.isForEvent ? { event } : { for_ms: 1 }) };
  }
  if (node.type === "parallel") {
    return {
      id,
      type: "parallel",
      parallel_steps: ids.flat(),
      on_error: node.goesOn ? "continue" : "fail",
      max_parallelism: node.bound,
    };
  }
  if (node.type === "conditional") {
    const [[ifTrue = null] = [], [ifFalse = null] = []] = ids;
    const condition = { expression: node.condition };
    return { id, type: "conditional", condition, if_true_step: ifTrue, if_false_step: ifFalse };
  }
  if (node.type === "loop") {
    return {
      id,
      type: "loop",
      loop_config: {
        collection: Array.from({ length: node.items }, (_, index) => `item ${String(index)}`),
        loop_body: ids.flat(),
        execution_mode: node.isParallel ? "parallel" : "sequential",
        on_error: node.onError,
        max_parallelism: node.bound,
      },
    };
  }
  return {
    id,
    type: "fork_join",
    fork_join_config: {
      branches: Object.fromEntries(ids.map((steps, index) => [`b${String(index)}`, { steps: steps }])),
      join_policy: node.policy,
      n_required: node.policy === "n_of_m" ? Math.min(node.required, ids.length) : undefined,
      // Otherwise the time of its waits would decide.
      branch_timeout_ms: lanes.flatMap(allPlanned).some((inner) => inner.node.type === "wait")
        ? undefined
        : node.timeoutMs,
    },
  };
}
