import type { LoopConfig, WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import { hideSecrets, redact } from "@crosszone/service-kit";

/** Redacts probable secrets in mappings and conditions. The result is still a valid definition. */
export function redactDefinition(definition: WorkflowDefinition): WorkflowDefinition {
  const { steps, output_mapping } = definition;
  return {
    ...definition,
    steps: Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, step && redactStepSaid(step)])),
    ...(output_mapping !== undefined && { output_mapping: redact(output_mapping) }),
  };
}

function redactStepSaid(step: WorkflowStep): WorkflowStep {
  if (step.type === "agent") return { ...step, input_mapping: redact(step.input_mapping) };
  if (step.type === "conditional") {
    const { expression } = step.condition;
    return { ...step, condition: { ...step.condition, expression: hideSecrets(expression) } };
  }
  if (step.type !== "loop") return step;
  const collection = redact(step.loop_config.collection) as LoopConfig["collection"];
  return { ...step, loop_config: { ...step.loop_config, collection } };
}
