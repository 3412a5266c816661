import { table } from "../output/table.ts";
import type { Command } from "./command.ts";

/** How to call a command: its arguments, options and examples. */
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
    `Options:\n${lines([...rows, ["  --help", "this text"]])}`,
    `Examples:\n${lines(shown)}`,
  ].join("\n");
}

/** All commands, and what they need of the environment. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, operands, summary }) => [`  ${name} ${operands}`.trimEnd(), summary]);
  return `crosszone: runs and looks after workflows from a terminal.

Usage: crosszone <command> [options]

${lines([...rows])}
  crosszone <command> --help shows a command's options and examples; --version the version.

Environment:
  CROSSZONE_URL    where the execution zone is (default: http://127.0.0.1:4000)
  CROSSZONE_TOKEN  one of its AGENT_ADMIN_TOKENS

Ends with 0 done, 1 the run failed or the definition is not valid, 2 called wrongly, 3 the zone is not reached or refuses,
4 the answer cannot be written, 130 left before the end.
`;
}

function lines(rows: readonly (readonly string[])[]): string {
  const [first = [], ...rest] = rows;
  return table(first, rest);
}
