/** Workflows across agents: definitions and their validation, runs, and the workflow API. */
export { createWorkflowRoutes, type WorkflowRoutesDeps } from "./api/create-workflow-routes.ts";
export {
  readWorkflow,
  validateWorkflow,
  type ReadWorkflow,
  type ReadWorkflowOptions,
  type Workflow,
} from "./definition/read-workflow.ts";
export { createExpressions, type Expressions } from "./expressions/expressions.ts";
export { WorkflowFault, type Scope } from "./mapping/scope.ts";
export { progressOf } from "./run/run-graph.ts";
export type { WorkflowsDeps } from "./runner/create-run-engine.ts";
export { createWorkflows } from "./runner/create-workflows.ts";
export type { WorkflowLimits } from "./runner/new-run.ts";
export type { StartedRun, StartRun, StartRunOptions } from "./runner/start-runs.ts";
export type { RunUpdate, WaitForRun, WatchOptions, WatchRun } from "./runner/watch-runs.ts";
export type { RunIds, WorkflowObserver } from "./runner/workflow-observer.ts";
export type { CreatedVersion, RunChange, Workflows } from "./runner/workflows.ts";
export { newRun, type RunLimits, type RunRecord, type StepRecord } from "./state/run-record.ts";
export type { RunQuery, RunReadings } from "./store/list-runs.ts";
export type { ReadRun, RunStates } from "./store/run-reader.ts";
export type { RunStanding } from "./store/run-queries.ts";
export { runContext, stepContext } from "./store/stored-run.ts";
export type { Page } from "./store/version-row.ts";
export type { AddedVersion } from "./store/version-store.ts";
export { workflowsStep } from "./store/migrations.ts";
export type { WorkflowTables } from "./store/workflow-tables.ts";
export { applyWorkflowFiles, readWorkflowFile, readWorkflowFiles, type AppliedWorkflows } from "./workflow-files.ts";
