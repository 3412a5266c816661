/** Workflows across agents: definitions and their validation, runs, and the workflow API. */
export { createWorkflowRoutes, type WorkflowRoutesDeps } from "./api/create-workflow-routes.ts";
export {
  readWorkflow,
  validateWorkflow,
  type ReadWorkflow,
  type ReadWorkflowOptions,
} from "./definition/read-workflow.ts";
export type { Workflow } from "./definition/workflow.ts";
export { createExpressions, type Expressions } from "./expressions/expressions.ts";
export type { Scope } from "./mapping/look-up.ts";
export { WorkflowFault } from "./mapping/workflow-fault.ts";
export { applyWorkflowFiles, type AppliedWorkflows } from "./apply-workflow-files.ts";
export { readWorkflowFile, readWorkflowFiles } from "./read-workflow-files.ts";
export { progressOf } from "./run/progress-of.ts";
export { newRun, type RunLimits, type RunRecord, type StepRecord } from "./state/run-record.ts";
export { createWorkflows, type WorkflowsDeps } from "./runner/create-workflows.ts";
export type { StartedRun, StartRun, StartRunOptions } from "./runner/start-runs.ts";
export type { RunUpdate, WaitForRun, WatchOptions, WatchRun } from "./runner/watch-runs.ts";
export type { WorkflowLimits } from "./runner/workflow-limits.ts";
export type { RunIds, WorkflowObserver } from "./runner/workflow-observer.ts";
export type { CreatedVersion, RunChange, Workflows } from "./runner/workflows.ts";
export type { ReadRun, RunQuery, RunReadings, RunStates } from "./store/run-reader.ts";
export type { RunStanding } from "./store/run-standing.ts";
export { runContext, stepContext } from "./store/stored-run.ts";
export type { AddedVersion, Page } from "./store/version-store.ts";
export { workflowTurnsStep } from "./store/turn-table.ts";
export { workflowWritesStep } from "./store/workflow-writes-step.ts";
export { workflowsStep, type WorkflowTables } from "./store/workflow-tables.ts";
