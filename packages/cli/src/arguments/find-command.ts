import type { Command } from "./command.ts";
import { didYouMean } from "./near-names.ts";
import { UsageError } from "./usage-error.ts";

export interface FoundCommand {
  readonly command: Command;
  /** The arguments after its name. */
  readonly args: readonly string[];
}

/**
 * Finds the command at the start of a line. A group alone, such as `runs`, means `list`. Throws a `UsageError` with the nearest name when
 * no command matches.
 */
export function findCommand(commands: readonly Command[], argv: readonly string[]): FoundCommand {
  const [first = "", second] = argv;
  const named = commands.find(({ name }) => name === first);
  if (named) return { command: named, args: argv.slice(1) };
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) {
    const known = [...new Set(commands.map(({ name }) => name.split(" ", 1)[0] as string))];
    throw new UsageError(`Unknown command "${first}".${didYouMean(first, known)}`);
  }
  const inGroup = group.find(({ name }) => name === `${first} ${second}`);
  if (inGroup) return { command: inGroup, args: argv.slice(2) };
  const list = group.find(({ name }) => name === `${first} list`);
  if (list && (second === undefined || second.startsWith("-"))) return { command: list, args: argv.slice(1) };
  const known = group.map(({ name }) => name.slice(first.length + 1));
  if (second === undefined || second.startsWith("-"))
    throw new UsageError(`Expected crosszone ${first} and one of: ${known.join(", ")}.`);
  throw new UsageError(
    `Unknown command "${first} ${second}".${didYouMean(second, known) || ` Expected one of: ${known.join(", ")}.`}`,
  );
}
