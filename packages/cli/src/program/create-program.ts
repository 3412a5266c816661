import { Command as Commander, CommanderError, Option } from "commander";
import { table } from "../text/terminal-text.ts";
import type { Call, Command, CommandOption } from "./command.ts";
import { UsageError } from "./errors.ts";
import type { Output } from "./session.ts";

export interface ProgramOptions {
  readonly commands: readonly Command[];
  readonly version: string;
  /** For help and version. */
  readonly stdout: Output;
  /** Runs a command whose arguments are valid. */
  readonly run: (command: Command, call: Call<Command["options"]>) => Promise<void>;
}

/** Width of the help without a terminal, columns. */
const helpWidth = 120;

const environment = `
Environment:
  CROSSZONE_URL          URL of the execution zone (default: http://127.0.0.1:4000)
  CROSSZONE_TOKEN        a token of crosszone tokens create; for the first, one of ADMIN_TOKENS
  CROSSZONE_LINK_TOKEN   its EXECUTION_TOKEN, for ask; not needed for a zone without one

Exit codes: 0 success, 1 the agent or the run failed or a definition is not valid, 2 usage error, 3 the zone can't be
reached or refuses, 4 the output can't be written, 130 interrupted.

For a command's options and examples: crosszone <command> --help`;

/**
 * Returns a function that parses a command line and runs its command, or prints the help or the version. Rejects with a `UsageError` for a
 * command line that is not valid.
 */
export function createProgram({ commands, version, stdout, run }: ProgramOptions) {
  const program = new Commander("crosszone")
    .description(
      "Agents, MCP servers, tasks, input requests, usage, workflows, runs, API tokens and the audit log from a terminal.",
    )
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    // `--version` after a command is an option of the command.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => stdout.columns || helpWidth,
      getOutHasColors: () => false,
    })
    .configureHelp({ visibleCommands: leavesOf, subcommandTerm })
    .addHelpText("after", environment);
  program.exitOverride((error) => refuse(error, program));
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    const parent = second === undefined ? program : groupOf(program, first);
    const added = parent.command(second ?? first);
    configure(added, command);
    added.action(async () => {
      try {
        await run(command, callOf(added, command));
      } catch (error) {
        if (error instanceof UsageError) error.command ??= command.name;
        throw error;
      }
    });
  }
  return async (argv: readonly string[]): Promise<void> => {
    try {
      await program.parseAsync(completed(program, argv), { from: "user" });
    } catch (error) {
      // Help or version was printed.
      if (!(error instanceof CommanderError)) throw error;
    }
  };
}

function configure(added: Commander, { summary, operands, options, examples }: Command): void {
  added.description(summary).exitOverride((error) => refuse(error, added));
  for (const operand of operands) added.argument(operand);
  for (const option of Object.values(options)) added.addOption(optionOf(option));
  const [first = [], ...rest] = examples.map(([line, what]) => [`  ${line}`, what]);
  added.addHelpText("after", `\nExamples:\n${table(first, rest).trimEnd()}`);
}

function optionOf({ flags, help, multiple }: CommandOption): Option {
  const option = new Option(flags, help);
  return multiple
    ? option.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), value])
    : option;
}

const callOf = (added: Commander, { options }: Command): Call<Command["options"]> => ({
  values: Object.fromEntries(Object.keys(options).map((name) => [name, added.opts()[name]])),
  operands: added.args,
});

function groupOf(program: Commander, name: string): Commander {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = program.command(name).description(`Commands for ${name}.`);
  return group.exitOverride((error) => refuse(error, group));
}

/** Returns the command line with the words that can be left out: without any the help, and `list` after the name of a group. */
function completed(program: Commander, argv: readonly string[]): string[] {
  const [first, second = "-"] = argv;
  if (first === undefined) return ["--help"];
  const group = program.commands.find((command) => command.name() === first);
  const hasList = group?.commands.some((command) => command.name() === "list") === true;
  const isAlone = second.startsWith("-") && second !== "-h" && second !== "--help";
  return hasList && isAlone ? [first, "list", ...argv.slice(1)] : [...argv];
}

/** Returns the words that select a command, e.g. `runs list`; empty for the program. */
function nameOf(command: Commander): string {
  const { parent } = command;
  return parent === null ? "" : `${nameOf(parent)} ${command.name()}`.trim();
}

/** Returns the commands that do something, at any depth, in the order of their definition. */
const leavesOf = (command: Commander): Commander[] =>
  command.commands.flatMap((one) => (one.commands.length > 0 ? leavesOf(one) : [one]));

const subcommandTerm = (command: Commander): string =>
  `${nameOf(command)} ${command.usage()}`.replace(" [options]", "");

/** Throws an error of commander as a `UsageError`. Help and version, which end the parsing as well, are not errors. */
function refuse(error: CommanderError, command: Commander): never {
  if (error.exitCode === 0) throw error;
  const usageError = new UsageError(sentenceOf(error, command), { cause: error });
  usageError.command = nameOf(command);
  throw usageError;
}

function sentenceOf({ code, message }: CommanderError, command: Commander): string {
  const expected = `Expected one of: ${command.commands.map((each) => each.name()).join(", ")}.`;
  if (code === "commander.help") return `A command is missing. ${expected}`;
  const sentence = message
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\n\((.*)\)$/, ". $1")
    .replaceAll("'", '"')
    .replace(/[^.?]$/, "$&.");
  if (code === "commander.unknownCommand" && !sentence.endsWith("?")) return `${sentence} ${expected}`;
  if (code !== "commander.missingArgument") return sentence;
  return `${sentence} Usage: crosszone ${nameOf(command)} ${command.usage()}`;
}
