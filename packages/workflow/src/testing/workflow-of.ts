import { readInputSchema } from "../definition/input-schema.ts";
import { readWorkflow, validateWorkflow } from "../definition/read-workflow.ts";
import type {
  AgentStep,
  ForkJoinStep,
  LoopStep,
  ParamProblem,
  WorkflowDefinition,
  WorkflowStep,
} from "@crosszone/contracts";
import type { Scope } from "../mapping/scope.ts";

/** Returns a scope for tests; omitted members are empty. */
export function scopeOf(given: {
  input?: unknown;
  outputs?: Record<string, unknown>;
  variables?: Record<string, unknown>;
}): Scope {
  return {
    input: given.input,
    outputs: new Map(Object.entries(given.outputs ?? {})),
    variables: new Map(Object.entries(given.variables ?? {})),
  };
}

/** Returns an agent step with further members. */
export function agent(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, type: "agent", agent_name: "echo", input_mapping: {}, ...more };
}

/** Returns a definition of these steps that starts with the first, with further members. */
export function plan(steps: Record<string, unknown>[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    workflow_id: "test",
    name: "Test",
    version: "1",
    start_step: steps[0]?.["id"],
    steps: Object.fromEntries(steps.map((step) => [step["id"], step])) as unknown,
    ...more,
  };
}

/** Returns a definition of these steps that starts with the first. */
export function workflowOf(steps: readonly WorkflowStep[], more: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  return {
    workflow_id: "w",
    name: "W",
    version: "1",
    start_step: steps[0]?.id ?? "",
    steps: Object.fromEntries(steps.map((step) => [step.id, step])),
    ...more,
  };
}

/** Returns a step for the agent `<id>-agent` whose input is its own id, unless overridden. */
export function agentStep(id: string, more: Partial<AgentStep> = {}): AgentStep {
  return { id, type: "agent", agent_name: `${id}-agent`, input_mapping: id, ...more };
}

export function loopStep(id: string, config: LoopStep["loop_config"], more: Partial<LoopStep> = {}): LoopStep {
  return { id, type: "loop", loop_config: config, ...more };
}

/** Returns a fork whose first successful branch decides, unless overridden. */
export function forkStep(
  config: Partial<ForkJoinStep["fork_join_config"]>,
  more: Partial<ForkJoinStep> = {},
): ForkJoinStep {
  const branches = { one: { steps: ["a"] }, two: { steps: ["b"] } };
  return { id: "fork", type: "fork_join", fork_join_config: { branches, join_policy: "any", ...config }, ...more };
}

/** Returns the problems of a definition, each with its pointer first. */
export const problemsOf = (source: unknown): string[] =>
  validateWorkflow(source).map(({ pointer, message }) => `${pointer} ${message}`);

/** Returns where a definition has problems. */
export const pointersOf = (source: unknown): string[] => validateWorkflow(source).map(({ pointer }) => pointer);

/** Returns the problems of an input of a valid definition. */
export function inputProblemsOf(source: unknown, input: unknown): readonly ParamProblem[] | undefined {
  const { definition } = readWorkflow(source);
  return definition && readInputSchema(definition.input_schema ?? {}).check?.(input);
}
