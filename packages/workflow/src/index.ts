/** Workflows across agents: definitions and their validation, runs, and the workflow API. */
export { createWorkflowRoutes, type RunWaits } from "./api/create-workflow-routes.ts";
export { checkInputOnThread, checkSchemaOnThread } from "./definition/request-thread.ts";
export { readWorkflow, validateWorkflow, type ReadWorkflowOptions } from "./definition/read-workflow.ts";
export { createExpressions } from "./expressions/expressions.ts";
export { readCondition } from "./expressions/condition.ts";
export { PlanFault, WorkflowFault } from "./mapping/scope.ts";
export { readTemplate, resolveTemplate } from "./mapping/template.ts";
export { progressOf } from "./run/run-graph.ts";
export { awaitedInputs, pausesDeadline, runSleepOf } from "./run/run-events.ts";
export { askContext, type RunInput, runInputOf, type RunInputRecord, runInputRecordOf } from "./runner/turn.ts";
export { stepResultOf, type StepResult } from "./runner/receive-results.ts";
export type { StepAsk, StepDecision } from "./steps/human.ts";
export type { PromptAsk } from "./steps/calls.ts";
export type { MayStore, WhyNobody } from "./runner/start-run.ts";
export { createWorkflows, type RunChangeResult, type Workflows } from "./runner/create-workflows.ts";
export { newRun } from "./steps/run-record.ts";
export type { RunReadings, ReadRun, RunStates } from "./store/run-reader.ts";
export { runContext, stepContext, type RunRequester } from "./store/stored-run.ts";
export { moveRunDeadlines } from "./store/write-runs.ts";
export {
  authorsStep,
  runTreesStep,
  workflowEventsStep,
  workflowsStep,
  type WorkflowTables,
} from "./store/workflow-tables.ts";
export { applyWorkflowFiles, readWorkflowFile, readWorkflowFiles } from "./workflow-files.ts";
export { payloadContext } from "./runner/events.ts";
