import { createExecutionJobTables, dropJobTables, type ExecutionJobTables } from "@crosszone/jobs";
import { openDatabase, type Database } from "@crosszone/sql";
import { workflowTurnsStep } from "../store/turn-table.ts";
import { workflowsStep, type WorkflowTables } from "../store/workflow-tables.ts";
import { workflowWritesStep } from "../store/workflow-writes-step.ts";

export type ExecutorTables = ExecutionJobTables & WorkflowTables;

/** Opens a database with the tables of runs and their calls only. */
export function openWorkflowDatabase(url: string): Promise<Database<ExecutorTables>> {
  return openDatabase<ExecutorTables>({
    url,
    schema: "workflow",
    migrations: {
      "0006_workflows": workflowsStep,
      "0011_workflow_turns": workflowTurnsStep,
      "0021_jobs": { up: createExecutionJobTables, down: dropJobTables },
      "0022_workflow_writes": workflowWritesStep,
    },
    onIdleError: () => undefined,
  });
}
