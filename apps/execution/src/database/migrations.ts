import { agentMovesStep, agentsStep } from "@crosszone/agent-bridge";
import { errorDetailStep } from "@crosszone/jobs";
import type { Migrations } from "@crosszone/sql";
import { workflowsStep, workflowTurnsStep, workflowWritesStep } from "@crosszone/workflow";
import {
  agentCallEndsStep,
  agentCallFilesStep,
  agentCallsStep,
  agentCallWaysStep,
} from "./before-jobs/agent-call-table.ts";
import { agentWaitParentsStep, agentWaitsStep } from "./before-jobs/agent-wait-table.ts";
import { busLanesStep, busStep } from "./before-jobs/bus-tables.ts";
import { taskSearchStep, tasksStep } from "./before-jobs/task-table.ts";
import { conversationsStep, threadSummaryStep } from "./conversation-tables.ts";
import { fileLinksStep } from "./file-link-table.ts";
import { jobsStep } from "./jobs-step.ts";
import { mcpToolsStep } from "./mcp-tool-table.ts";
import { usageIndexStep, usageStep } from "./usage-table.ts";

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const executionMigrations: Migrations = {
  "0001_tasks": tasksStep,
  "0002_bus": busStep,
  "0003_agents": agentsStep,
  "0004_agent_calls": agentCallsStep,
  "0005_agent_waits": agentWaitsStep,
  "0006_workflows": workflowsStep,
  "0007_agent_call_files": agentCallFilesStep,
  "0008_conversations": conversationsStep,
  "0009_task_search": taskSearchStep,
  "0010_agent_call_ends": agentCallEndsStep,
  "0011_workflow_turns": workflowTurnsStep,
  "0012_agent_file_links": fileLinksStep,
  "0013_bus_lanes": busLanesStep,
  "0014_usage": usageStep,
  "0015_mcp_tools": mcpToolsStep,
  "0016_usage_index": usageIndexStep,
  "0017_thread_summary": threadSummaryStep,
  "0018_add_agent_wait_parents": agentWaitParentsStep,
  "0019_add_agent_moves": agentMovesStep,
  "0020_add_agent_call_ways": agentCallWaysStep,
  "0021_jobs": jobsStep,
  "0022_workflow_writes": workflowWritesStep,
  "0023_add_error_details": errorDetailStep,
};
