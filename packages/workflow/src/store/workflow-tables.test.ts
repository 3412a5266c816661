import { migrationsContract } from "@crosszone/sql/testing";
import { workflowTurnsStep } from "./turn-table.ts";
import { workflowsStep } from "./workflow-tables.ts";
import { workflowWritesStep } from "./workflow-writes-step.ts";

migrationsContract({
  "0006_workflows": workflowsStep,
  "0011_workflow_turns": workflowTurnsStep,
  "0022_workflow_writes": workflowWritesStep,
});
