import { migrationsContract } from "@crosszone/sql/testing";
import { workflowsStep } from "./workflow-tables.ts";

migrationsContract({ "0006_workflows": workflowsStep });
