/** Workflows across agents: definitions and what is wrong with them, mappings, conditions. */
export {
  readWorkflow,
  validateWorkflow,
  type ReadWorkflow,
  type ReadWorkflowOptions,
} from "./definition/read-workflow.ts";
export type { Workflow } from "./definition/workflow.ts";
export { createExpressions, type Expressions } from "./expressions.ts";
export type { Scope } from "./scope.ts";
export { WorkflowFault } from "./workflow-fault.ts";
