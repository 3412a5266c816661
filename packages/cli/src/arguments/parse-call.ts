import { parseArgs } from "node:util";
import type { Call, Command } from "./command.ts";
import { didYouMean } from "./near-names.ts";
import { UsageError } from "./usage-error.ts";

/** Parses the arguments after a command's name. Throws a `UsageError` for unknown options and a wrong number of operands. */
export function parseCall(command: Command, args: readonly string[]): Call<Command["options"]> {
  const { values, positionals } = parsed(command, args);
  const [least, most] = command.count;
  if (positionals.length < least)
    throw new UsageError(`Missing argument. Usage: crosszone ${command.name} ${command.operands}`);
  if (positionals.length > most) throw new UsageError(`Unexpected argument "${positionals[most]}".`);
  return { values, operands: positionals };
}

/** Returns true if the arguments before `--` include `--help` or `-h`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? args.length : end).some((arg) => arg === "--help" || arg === "-h");
}

function parsed({ options }: Command, args: readonly string[]): ReturnType<typeof parseArgs> {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name));
  if (unknown?.kind === "option") {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`Unknown option ${unknown.rawName}.${didYouMean(unknown.rawName, known)}`);
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
