import type { Command } from "../program/command.ts";
import { agentDevCommand } from "./agent.ts";
import { migrateAgents, rollBackAgents } from "./agents-migrate.ts";
import { agentConformance, testAgent } from "./agents-test.ts";
import { addAgent, setAgent } from "./agents-settings.ts";
import { disableAgent, enableAgent, listAgents, removeAgent, showAgent } from "./agents.ts";
import { auditKey, exportAudit, listAudit, verifyCommand } from "./audit.ts";
import { askCommand } from "./ask.ts";
import { conformanceCommand } from "./conformance.ts";
import { inputReceipt, listInputs, showInput, withdrawInput } from "./inputs.ts";
import { answerInput } from "./inputs-answer.ts";
import { serveMcp } from "./mcp-serve.ts";
import { approveMcp, listMcp, showMcp } from "./mcp.ts";
import { runCommand } from "./run.ts";
import { cancelRun, listRuns, retryRun, showRun, watchRun } from "./runs.ts";
import { listTasks, showTask } from "./tasks.ts";
import { createToken, listTokens, revokeToken, showToken } from "./tokens.ts";
import { usageCommand } from "./usage.ts";
import { validateCommand } from "./validate.ts";
import { createWorkflows, listWorkflows, showWorkflow } from "./workflows.ts";

/** In the order of the help. */
export const commands: readonly Command[] = [
  askCommand,
  listAgents,
  showAgent,
  addAgent,
  setAgent,
  testAgent,
  enableAgent,
  disableAgent,
  removeAgent,
  agentConformance,
  migrateAgents,
  rollBackAgents,
  conformanceCommand,
  agentDevCommand,
  listMcp,
  showMcp,
  approveMcp,
  serveMcp,
  listTasks,
  showTask,
  listInputs,
  showInput,
  inputReceipt,
  answerInput,
  withdrawInput,
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
  createToken,
  listTokens,
  showToken,
  revokeToken,
  listAudit,
  exportAudit,
  auditKey,
  verifyCommand,
];
