import { busLanesStep, busStep, type BusTables } from "@crosszone/bus";
import { openDatabase, type Database } from "@crosszone/sql";
import { workflowTurnsStep } from "../store/turn-table.ts";
import { workflowsStep, type WorkflowTables } from "../store/workflow-tables.ts";

export type ExecutorTables = BusTables & WorkflowTables;

/** Opens a database with the tables of runs and their bus only. */
export function openWorkflowDatabase(url: string): Promise<Database<ExecutorTables>> {
  return openDatabase<ExecutorTables>({
    url,
    schema: "workflow",
    migrations: {
      "0002_bus": busStep,
      "0006_workflows": workflowsStep,
      "0011_workflow_turns": workflowTurnsStep,
      "0013_bus_lanes": busLanesStep,
    },
    onIdleError: () => undefined,
  });
}
