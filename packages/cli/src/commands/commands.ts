import type { Command } from "../arguments/command.ts";
import { addAgent, disableAgent, enableAgent, listAgents, removeAgent, showAgent } from "./agents.ts";
import { agentDevCommand } from "./agent-dev.ts";
import { agentTestCommand } from "./agent-test.ts";
import { askCommand } from "./ask.ts";
import { approveMcp, listMcp, showMcp } from "./mcp.ts";
import { runCommand } from "./run.ts";
import { cancelRun, listRuns, retryRun, showRun, watchRun } from "./runs.ts";
import { listTasks, showTask } from "./tasks.ts";
import { testAgent } from "./test-agent.ts";
import { usageCommand } from "./usage.ts";
import { validateCommand } from "./validate.ts";
import { createWorkflows, listWorkflows, showWorkflow } from "./workflows.ts";

/** In the order of the help. */
export const commands: readonly Command[] = [
  askCommand,
  listAgents,
  showAgent,
  addAgent,
  testAgent,
  enableAgent,
  disableAgent,
  removeAgent,
  agentDevCommand,
  agentTestCommand,
  listMcp,
  showMcp,
  approveMcp,
  listTasks,
  showTask,
  usageCommand,
  runCommand,
  validateCommand,
  listWorkflows,
  showWorkflow,
  createWorkflows,
  listRuns,
  showRun,
  watchRun,
  cancelRun,
  retryRun,
];
