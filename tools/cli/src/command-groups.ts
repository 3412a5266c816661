import { spawn } from "node:child_process";
import process from "node:process";
import { anyArguments, type Command, type CommandGroup, defineCommand } from "./program/command.ts";
import { completionScripts } from "./program/create-program.ts";
import { didYouMean, type Session, UsageError } from "./program/session.ts";
import { agentCommands } from "./commands/agents.ts";
import {
  approvalReceipt,
  decideApproval,
  listApprovals,
  showApproval,
  withdrawApproval,
} from "./commands/approvals.ts";
import { auditKey, auditExportCommand, auditListCommand, verifyCommand } from "./commands/audit.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { discardDeadLetters, listDeadLetters, replayDeadLetters } from "./commands/dead-letters.ts";
import { approveMcp, listMcp, programsMcpCommand, showMcp } from "./commands/mcp.ts";
import { cancelRun, runsListCommand, retryRun, runCommand, showRun, runsWatchCommand } from "./commands/run.ts";
import { askCommand, findCommand, tasksListCommand } from "./commands/tasks.ts";
import { hookCommands, scheduleCommands } from "./commands/schedules.ts";
import { createToken, listTokens, revokeToken, showToken, usageCommand } from "./commands/tokens.ts";
import { runIdOf } from "./program/unknown-names.ts";
import {
  workflowsCreateCommand,
  listWorkflows,
  publishEvent,
  showWorkflow,
  validateCommand,
} from "./commands/workflows.ts";

const needsLocal = "The package @crosszone/local is not in this folder.";

const devCommand = programCommand("dev", "Runs both zones on this machine with a local Slack.", needsLocal);
const chatCommand = programCommand("chat", "Asks in the local Slack, and presses its buttons.", needsLocal);
const doctorCommand = programCommand(
  "doctor",
  "Tests the settings against the real services.",
  "Where a zone is deployed: node dist/doctor.js.",
);
const configCommand = programCommand(
  "config",
  "Checks the files of settings: every mistake with its file and line, and what to write.",
  "Where a zone is deployed: node dist/config.js check.",
);
const backupCommand = programCommand(
  "backup",
  "Copies the data of the zones into a folder, and restores it.",
  "Where a zone is deployed: node dist/data.js backup.",
);

/** Returns a command that another program does. `runProcess` starts it; this one says why it could not: `missing`. */
function programCommand(name: string, summary: string, missing: string): Command {
  return defineCommand({
    name,
    summary,
    operands: [anyArguments],
    examples: [[`crosszone ${name} --help`, "what it can do"]],
    run: () => {
      throw new UsageError(
        `${missing} In a clone of the repository: ./crosszone ${name}; in a folder of create-crosszone: npm run crosszone ${name}.`,
      );
    },
  });
}

const places = ["runs", "slack", "docs"];

const openCommand: Command = defineCommand({
  name: "open",
  summary: "Opens the console, a run, the local Slack or the docs in the browser, or prints the address.",
  operands: ["[place]"],
  examples: [
    ["crosszone open", "the runs in the console"],
    ["crosszone open 7c9e", "one run, by the beginning of its id"],
    ["crosszone open slack", "the local Slack; docs opens the documentation"],
  ],
  run: async ({ operands: [place = "runs"] }, session) => {
    const url = await addressOf(place, session);
    await openInBrowser(url, session);
    return { text: `${url}\n` };
  },
});

async function addressOf(place: string, { api: open, env }: Session): Promise<string> {
  if (place === "docs") return "https://github.com/crosszone/crosszone/tree/main/docs";
  if (place === "slack") return `http://127.0.0.1:${env["DEV_SLACK_PORT"] || 3_100}`;
  const near = place === "runs" ? "" : didYouMean(place, places);
  if (near !== "") throw new UsageError(`[place] must be ${places.join(", ")} or a run.${near}`);
  const api = open();
  return api.pageOf(place === "runs" ? undefined : (await api.run(await runIdOf(api, place))).run_id);
}

/** Opens a URL where a person sees a display; otherwise its text is enough. */
async function openInBrowser(url: string, { env, stdout }: Session): Promise<void> {
  const isMac = process.platform === "darwin";
  if (stdout.isTTY !== true || !(isMac || env["DISPLAY"] || env["WAYLAND_DISPLAY"])) return;
  const opened = spawn(isMac ? "open" : "xdg-open", [url], { stdio: "ignore", detached: true });
  opened.unref();
  await new Promise((done) => opened.once("spawn", done).once("error", done));
}

const completionCommand: Command = defineCommand({
  name: "completion",
  summary: "Prints a script that completes commands, options and names in your shell.",
  operands: ["<shell>"],
  examples: [
    ["source <(crosszone completion bash)", "in ~/.bashrc; zsh the same in ~/.zshrc"],
    ["crosszone completion fish | source", "in config.fish"],
  ],
  run: ({ operands: [shell = ""] }) => {
    const text = completionScripts[shell];
    const shells = Object.keys(completionScripts);
    if (text !== undefined) return Promise.resolve({ text });
    throw new UsageError(`<shell> must be ${shells.join(", ")}, got "${shell}".${didYouMean(shell, shells)}`);
  },
});

const audit = [auditListCommand, auditExportCommand, auditKey, verifyCommand];
const workflows = [listWorkflows, showWorkflow, workflowsCreateCommand, publishEvent];
const runs = [runsListCommand, showRun, runsWatchCommand, cancelRun, retryRun];

/** In the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  { title: "Start", commands: [devCommand, openCommand, chatCommand, configCommand, doctorCommand, completionCommand] },
  { title: "Ask", commands: [askCommand, findCommand, tasksListCommand, usageCommand] },
  { title: "Agents", commands: [...agentCommands, conformanceCommand, listMcp, showMcp, approveMcp] },
  { title: "Workflows", commands: [runCommand, validateCommand, ...workflows, ...runs] },
  { title: "Schedules", commands: scheduleCommands },
  {
    title: "Approvals",
    commands: [listApprovals, showApproval, decideApproval, approvalReceipt, withdrawApproval],
  },
  {
    title: "Programs",
    commands: [createToken, listTokens, showToken, revokeToken, programsMcpCommand, ...hookCommands],
  },
  {
    title: "Admin",
    commands: [...audit, listDeadLetters, replayDeadLetters, discardDeadLetters, backupCommand],
  },
];
