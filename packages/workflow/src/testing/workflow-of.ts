import type { AgentStep, LoopStep, WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";

/** A definition of some steps that starts with the first. */
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

/** A step for the agent `<id>-agent` that is asked with its own id, unless said otherwise. */
export function agentStep(id: string, more: Partial<AgentStep> = {}): AgentStep {
  return { id, type: "agent", agent_name: `${id}-agent`, input_mapping: id, ...more };
}

export function loopStep(id: string, config: LoopStep["loop_config"], more: Partial<LoopStep> = {}): LoopStep {
  return { id, type: "loop", loop_config: config, ...more };
}
