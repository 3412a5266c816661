import { taskEventsStep } from "./task-event-table.ts";
import { agentsStep } from "@crosszone/agent-bridge";
import { executionJobsStep } from "@crosszone/agent-calls";
import { auditStep } from "@crosszone/audit";
import { deadLettersStep } from "@crosszone/kafka-gateway";
import { joinSteps, type Migrations } from "@crosszone/sql";
import { workflowsStep } from "@crosszone/workflow";
import { conversationsStep, threadSummaryStep, fileLinksStep, mcpToolsStep } from "./conversation-tables.ts";
import { inputsStep } from "./input-tables.ts";
import { apiTokensStep } from "./token-table.ts";
import { usageStep } from "./usage-table.ts";

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const executionMigrations: Migrations = {
  "0001_tables": joinSteps(
    executionJobsStep,
    deadLettersStep,
    agentsStep,
    workflowsStep,
    conversationsStep,
    threadSummaryStep,
    fileLinksStep,
    usageStep,
    mcpToolsStep,
    inputsStep,
    apiTokensStep,
    auditStep,
    taskEventsStep,
  ),
};
