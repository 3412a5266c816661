import type { AgentStep, LoopStep, WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";

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
