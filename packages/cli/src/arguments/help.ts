import { table } from "../output/table.ts";
import type { Command } from "./command.ts";

/** Returns the help of a command: its arguments, options and examples. */
export function commandHelp({ name, summary, operands, options, examples }: Command): string {
  const line = ["crosszone", name, operands, "[options]"].filter(Boolean).join(" ");
  const rows = Object.entries(options).map(([option, { value, help }]) => [
    `  --${option}${value === undefined ? "" : ` ${value}`}`,
    help,
  ]);
  const shown = examples.map(([example, what]) => [`  ${example}`, what]);
  return [
    `${summary}\n`,
    `Usage: ${line}\n`,
    `Options:\n${lines([...rows, ["  --help", "show this help"]])}`,
    `Examples:\n${lines(shown)}`,
  ].join("\n");
}

/** Returns the help of the program: all commands, the environment variables and the exit codes. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, operands, summary }) => [`  ${name} ${operands}`.trimEnd(), summary]);
  return `crosszone: agents, MCP servers, tasks, usage, workflows and runs from a terminal.

Usage: crosszone <command> [options]

${lines([...rows])}
  crosszone <command> --help shows a command's options and examples; --version prints the version.

Environment:
  CROSSZONE_URL          URL of the execution zone (default: http://127.0.0.1:4000)
  CROSSZONE_TOKEN        one of its AGENT_ADMIN_TOKENS
  CROSSZONE_LINK_TOKEN   its EXECUTION_TOKEN, for ask; not needed for a zone without one
  CROSSZONE_JUDGE_MODEL  openai/<id> or anthropic/<id>, for rubrics of agent test (default: MODEL)

Exit codes: 0 success, 1 the agent or the run failed or a definition is not valid, 2 usage error, 3 the zone can't be
reached or refuses, 4 the output can't be written, 130 interrupted.
`;
}

function lines(rows: readonly (readonly string[])[]): string {
  const [first = [], ...rest] = rows;
  return table(first, rest);
}
