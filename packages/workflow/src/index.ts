/** Workflows across agents: definitions and what is wrong with them, mappings, conditions, and runs as a pure state machine. */
export { createWorkflowRoutes, type WorkflowRoutesDeps } from "./api/create-workflow-routes.ts";
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
export { applyWorkflowFiles, type AppliedWorkflows } from "./file/apply-workflow-files.ts";
export { readWorkflowFile, readWorkflowFiles } from "./file/read-workflow-files.ts";
export { graphOf, type GraphEdge, type GraphNode, type RunGraph } from "./run/graph-of.ts";
export { outputOf } from "./run/output-of.ts";
export { progressOf, type ProgressLine } from "./run/progress-of.ts";
export { reduce } from "./run/reduce.ts";
export type { CancelCommand, DispatchCommand, EndCommand, Reduction, RunCommand, RunEvent } from "./run/run-events.ts";
export { stepOf, type RunPlan } from "./run/run-plan.ts";
export { newRun, type RunLimits, type RunRecord, type StepRecord } from "./run/run-record.ts";
export type { RunView } from "./run/run-view.ts";
export { taskIdOf } from "./run/step-path.ts";
export { createWorkflows, type WorkflowsDeps } from "./runner/create-workflows.ts";
export type { StartedRun, StartRun, StartRunOptions } from "./runner/start-runs.ts";
export type { RunUpdate, WaitForRun, WatchOptions, WatchRun } from "./runner/watch-runs.ts";
export type { WorkflowLimits } from "./runner/workflow-limits.ts";
export type { RunIds, WorkflowObserver } from "./runner/workflow-observer.ts";
export type { CreatedVersion, RunChange, Workflows } from "./runner/workflows.ts";
export type { ReadRun, RunQuery, RunReadings, RunStates } from "./store/run-reader.ts";
export { runContext, stepContext } from "./store/stored-run.ts";
export type { AddedVersion, Page } from "./store/version-store.ts";
export { workflowsStep, type WorkflowTables } from "./store/workflow-tables.ts";
