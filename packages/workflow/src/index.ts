/** Workflows across agents: definitions and their validation, runs, and the workflow API. */
export { createWorkflowRoutes } from "./api/create-workflow-routes.ts";
export { type InputCheck, readInputSchema } from "./definition/input-schema.ts";
export { readWorkflow, validateWorkflow, type ReadWorkflowOptions } from "./definition/read-workflow.ts";
export { createExpressions } from "./expressions/expressions.ts";
export { WorkflowFault } from "./mapping/scope.ts";
export { progressOf } from "./run/run-graph.ts";
export { asksAnyone, awaitedInputs } from "./run/waiting.ts";
export { type RunInput, runInputOf, type RunInputRecord, runInputRecordOf } from "./runner/run-input.ts";
export type { StepAsk, StepDecision } from "./steps/human.ts";
export { createWorkflows } from "./runner/create-workflows.ts";
export type { Workflows } from "./runner/workflows.ts";
export { newRun } from "./state/run-record.ts";
export type { RunReadings } from "./store/list-runs.ts";
export type { ReadRun, RunStates } from "./store/run-reader.ts";
export { runContext, stepContext, type RunRequester } from "./store/stored-run.ts";
export { workflowsStep } from "./store/migrations.ts";
export type { WorkflowTables } from "./store/workflow-tables.ts";
export { applyWorkflowFiles, readWorkflowFile, readWorkflowFiles } from "./workflow-files.ts";
