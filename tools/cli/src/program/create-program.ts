import { Command as Commander, CommanderError, Option } from "commander";
import { harmlessLine, ownName, table } from "../text/terminal-text.ts";
import { anyArguments, type ParsedCommand, type Command, type CommandGroup, type CommandOption } from "./command.ts";
import { didYouMean, type Output, UsageError } from "./session.ts";
import { kindOf } from "./unknown-names.ts";

/** The first word of a command line that asks for completions of its other words. */
const completing = "__complete";

/** Scripts that complete with what the command line itself says, by shell. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_crosszone() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" ${completing} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _crosszone crosszone
`,
  zsh: `_crosszone() {
  compadd -- \${(f)"$(\${words[1]} ${completing} "\${(@)words[2,CURRENT]}" 2>/dev/null)"} || _files
}
compdef _crosszone crosszone
`,
  fish: `function __crosszone_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] ${completing} $words[2..-1] 2>/dev/null
end
complete -c crosszone -a '(__crosszone_complete)'
`,
};

/**
 * Returns what can be the last of the words: commands, options, or names of the zone. `namesOf` returns the names for an operand or an
 * option, such as `agent`.
 */
async function completionsOf(
  program: Commander,
  words: readonly string[],
  namesOf: (kind: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const [word = "", before = ""] = words.toReversed();
  const earlier = words.slice(0, -1);
  const command = earlier.reduce((at, name) => at.commands.find((each) => each.name() === name) ?? at, program);
  const takesValue = (option: string): boolean =>
    command.options.some(({ long, required }) => required && long === option);
  const depth = [command, command.parent].filter((one) => one !== null && one !== program).length;
  const given = earlier.filter((one) => !one.startsWith("-")).length - earlier.filter(takesValue).length - depth;
  const { argChoices } = command.options.find(({ long }) => long === before) ?? {};
  const all = takesValue(before)
    ? (argChoices ?? (await namesOf(before.slice("--".length))))
    : word.startsWith("-")
      ? command.options.flatMap(({ long }) => long ?? [])
      : command.commands.length > 0
        ? command.commands.map((each) => each.name())
        : await namesOf(kindIn(command, command.registeredArguments[given]?.name()));
  return all.filter((one) => one.startsWith(word));
}

const kindIn = (command: Commander, operand = ""): string => kindOf(operand, nameOf(command));

export interface ProgramOptions {
  readonly groups: readonly CommandGroup[];
  readonly version: string;
  /** For help and version. */
  readonly stdout: Output;
  /** Runs a command whose arguments are valid. */
  readonly run: (command: Command, call: ParsedCommand<Command["options"]>) => Promise<void>;
  /** Returns the names that an operand of a kind can have, for completions and errors. */
  readonly namesOf: (kind: string) => Promise<readonly string[]>;
}

/** Width of the help without a terminal, columns. */
const helpWidth = 120;

const environment = `
Environment:
  CROSSZONE_URL          URL of the execution zone (default: http://127.0.0.1:4000)
  CROSSZONE_TOKEN        a token of ${ownName} tokens create; for the first, one of ADMIN_TOKENS
  CROSSZONE_LINK_TOKEN   its EXECUTION_TOKEN, for ask; not needed for a zone without one

Exit codes: 0 success, 1 the agent or the run failed or a definition is not valid, 2 usage error, 3 the zone can't be
reached or refuses, 4 the output can't be written, 130 interrupted.

For the commands of a group such as agents, or a command's options and examples: ${ownName} agents --help`;

/**
 * Returns a function that parses a command line and runs its command, or prints the help or the version. Rejects with a `UsageError` for a
 * command line that is not valid.
 */
export function createProgram({ groups, version, stdout, run, namesOf }: ProgramOptions) {
  const program = new Commander(ownName)
    .description("Ask AI agents, run workflows, decide approvals, and operate Crosszone.")
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
    .configureHelp({ visibleCommands, subcommandTerm, subcommandDescription, optionDescription })
    .addHelpText("after", environment);
  program.exitOverride((error) => refuse(error, program));
  for (const { title, commands } of groups) for (const command of commands) add(program, command, { title, run });
  return async (argv: readonly string[]): Promise<void> => {
    if (argv[0] === completing) {
      const found = await completionsOf(program, argv.slice(1), namesOf);
      stdout.write(found.map((one) => `${harmlessLine(one)}\n`).join(""));
      return;
    }
    try {
      await program.parseAsync(completed(program, argv), { from: "user" });
    } catch (error) {
      // Help or version was printed.
      if (error instanceof CommanderError) return;
      const names = error instanceof UsageError && error.missing ? await namesOf(error.missing) : [];
      if (error instanceof UsageError && names.length > 0) error.message += `\nThere are: ${namesText(names)}.`;
      throw error;
    }
  };
}

function add(
  program: Commander,
  command: Command,
  { title, run }: { readonly title: string; readonly run: ProgramOptions["run"] },
): void {
  const [first = "", second] = command.name.split(" ");
  const parent = second === undefined ? program : groupOf(program, first, title);
  const added = parent.command(second ?? first).helpGroup(`${title}:`);
  configure(added, command);
  added.action(async () => {
    try {
      const values = Object.fromEntries(Object.keys(command.options).map((name) => [name, added.opts()[name]]));
      await run(command, { values, operands: added.args });
    } catch (error) {
      if (error instanceof UsageError) error.command ??= command.name;
      throw error;
    }
  });
}

function configure(added: Commander, { summary, operands, options, examples }: Command): void {
  added.description(summary).exitOverride((error) => refuse(error, added));
  for (const operand of operands) added.argument(operand);
  added.allowUnknownOption(operands.includes(anyArguments));
  for (const option of Object.values(options)) added.addOption(optionOf(option));
  const [first = [], ...rest] = examples.map(([line, what]) => [
    `  ${line.replaceAll(/\bcrosszone (?=[a-z])/g, `${ownName} `)}`,
    what,
  ]);
  added.addHelpText("after", `\nExamples:\n${table(first, rest).trimEnd()}`);
}

function optionOf({ flags, help, multiple, names }: CommandOption): Option {
  const option = new Option(flags, help);
  // The command says itself which values it takes, with the one that is near.
  if (names !== undefined) option.argChoices = [...names];
  return multiple
    ? option.argParser((value, before: readonly string[] | undefined) => (before ?? []).concat(value))
    : option;
}

function groupOf(program: Commander, name: string, title: string): Commander {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = program.command(name).description(`Commands for ${name}.`).helpGroup(`${title}:`);
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

/** A group of one command is shown as that command. */
const visibleCommands = ({ commands }: Commander): Commander[] =>
  commands.map((one) => (one.commands.length === 1 ? one.commands[0] : undefined) ?? one);

/** Operands are in the help of a group and of a command. */
const subcommandTerm = (command: Commander): string =>
  command.parent?.parent ? `${nameOf(command)} ${command.usage()}`.replace(" [options]", "") : command.name();

/** A group is described by its commands. */
const subcommandDescription = (command: Commander): string =>
  command.commands.length > 0 ? command.commands.map((one) => one.name()).join(", ") : command.description();

/** The help of an option names its values itself. */
const optionDescription = ({ description }: Option): string => description;

/** Names in an error. */
const mostNames = 10;

const namesText = (names: readonly string[]): string =>
  [...names.slice(0, mostNames), ...(names.length > mostNames ? [`${names.length - mostNames} more`] : [])]
    .map(harmlessLine)
    .join(", ");

/** Throws an error of commander as a `UsageError`. Help and version, which end the parsing as well, are not errors. */
function refuse(error: CommanderError, command: Commander): never {
  if (error.exitCode === 0) throw error;
  const usageError = new UsageError(sentenceOf(error, command), { cause: error });
  usageError.command = nameOf(command);
  const [, operand] = error.code === "commander.missingArgument" ? (/'(.*)'/.exec(error.message) ?? []) : [];
  // A new one has a name of its own.
  usageError.missing = operand && command.name() !== "add" ? kindIn(command, operand) : undefined;
  throw usageError;
}

function sentenceOf({ code, message }: CommanderError, command: Commander): string {
  const expected = `Expected one of: ${command.commands.map((each) => each.name()).join(", ")}.`;
  if (code === "commander.help") return `A command is missing. ${expected}`;
  const usage = ` Usage: ${ownName} ${nameOf(command)} ${command.usage()}`;
  if (code === "commander.missingArgument") return `${message.replace(/^.*'(.*)'.*$/, "<$1> is missing")}.${usage}`;
  const sentence = message
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\n\((.*)\)$/, ". $1")
    .replaceAll("'", '"')
    .replace(/[^.?]$/, "$&.");
  if (code !== "commander.unknownCommand") return sentence;
  // Commander knows neither groups nor their commands.
  return sentence.replace(/ Did you mean .*$/, "") + (nearCommands(command) || ` ${expected}`);
}

/** Returns ` Did you mean …?` with groups and commands that are similar to the first word, or else those that end with it; otherwise an empty string. */
function nearCommands(command: Commander): string {
  const [typed = "", next = ""] = command.args;
  const named = command.commands.map((one) => {
    const isNext = one.commands.some((each) => each.name() === next);
    return [one.name(), isNext ? `${nameOf(one)} ${next}` : nameOf(one)] as const;
  });
  const inside = leavesOf(command).map((one) => [one.name(), nameOf(one)] as const);
  return didYouMean(typed.toLowerCase(), named) || didYouMean(typed.toLowerCase(), inside);
}
