import { migrationsContract } from "@crosszone/sql/testing";
import { workflowTurnsStep } from "./turn-table.ts";
import { workflowsStep } from "./workflow-tables.ts";

migrationsContract({ "0006_workflows": workflowsStep, "0011_workflow_turns": workflowTurnsStep });
