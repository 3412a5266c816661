import { migrationsContract } from "@crosszone/sql/testing";
import { workflowsStep, workflowTurnsStep, workflowWritesStep } from "./migrations.ts";

migrationsContract({
  "0006_workflows": workflowsStep,
  "0011_workflow_turns": workflowTurnsStep,
  "0022_workflow_writes": workflowWritesStep,
});
