import { spawn } from "node:child_process";
import process from "node:process";
import { anyArguments, type Command, type CommandGroup, defineCommand } from "./program/command.ts";
import { completionScripts } from "./program/create-program.ts";
import { didYouMean, type Session, UsageError } from "./program/session.ts";
import { idOf } from "./program/unknown-names.ts";
import { agentCommands } from "./commands/agents/agents.ts";
import { conformanceCommand } from "./commands/agents/conformance.ts";
import { mcpCommands } from "./commands/agents/mcp.ts";
import { approvalCommands } from "./commands/approvals.ts";
import { askCommand } from "./commands/ask/ask.ts";
import { findCommand } from "./commands/ask/find.ts";
import { tasksCommand } from "./commands/ask/tasks.ts";
import { usageCommand } from "./commands/ask/usage.ts";
import { auditCommands } from "./commands/audit.ts";
import { deadLetterCommands } from "./commands/dead-letters.ts";
import { hookCommands } from "./commands/hooks.ts";
import { programsMcpCommand } from "./commands/mcp-relay.ts";
import { runCommand, runCommands } from "./commands/run.ts";
import { scheduleCommands } from "./commands/schedules.ts";
import { tokenCommands } from "./commands/tokens.ts";
import { workflowCommands } from "./commands/workflows.ts";

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

async function addressOf(place: string, session: Session): Promise<string> {
  const { api: open, env } = session;
  if (place === "docs") return "https://github.com/crosszone/crosszone/tree/main/docs";
  if (place === "slack") return `http://127.0.0.1:${env["DEV_SLACK_PORT"] || 3_100}`;
  const near = place === "runs" ? "" : didYouMean(place, places);
  if (near !== "") throw new UsageError(`[place] must be ${places.join(", ")} or a run.${near}`);
  const api = open();
  if (place === "runs") return api.pageOf();
  return api.pageOf((await api.call("getRun", { run_id: await idOf("run", place, session) })).run_id);
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

/** In the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  { title: "Start", commands: [devCommand, openCommand, chatCommand, configCommand, doctorCommand, completionCommand] },
  { title: "Ask", commands: [askCommand, findCommand, tasksCommand, usageCommand] },
  { title: "Agents", commands: [...agentCommands, conformanceCommand, ...mcpCommands] },
  { title: "Workflows", commands: [runCommand, ...workflowCommands, ...runCommands] },
  { title: "Schedules", commands: scheduleCommands },
  { title: "Approvals", commands: approvalCommands },
  { title: "Programs", commands: [...tokenCommands, programsMcpCommand, ...hookCommands] },
  { title: "Admin", commands: [...auditCommands, ...deadLetterCommands, backupCommand] },
];
