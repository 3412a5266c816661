import type { Command } from "../arguments/command.ts";
import { agentConformance } from "./agent-conformance.ts";
import { addAgent, disableAgent, enableAgent, listAgents, removeAgent, showAgent } from "./agents.ts";
import { agentDevCommand } from "./agent-dev.ts";
import { agentTestCommand } from "./agent-test.ts";
import { askCommand } from "./ask.ts";
import { canaryAgent } from "./canary-agent.ts";
import { conformanceCommand } from "./conformance.ts";
import { approveMcp, listMcp, showMcp } from "./mcp.ts";
import { migrateAgents, rollBackAgents } from "./migrate-agents.ts";
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
  agentConformance,
  migrateAgents,
  rollBackAgents,
  canaryAgent,
  conformanceCommand,
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
