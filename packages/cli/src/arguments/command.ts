import type { parseArgs, ParseArgsOptionDescriptor } from "node:util";
import type { Session } from "../session.ts";

/** An option of `parseArgs` with its help text. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  /** Placeholder for its value in the help. */
  readonly value?: string;
  readonly help: string;
}

type CommandOptions = Readonly<Record<string, CommandOption>>;
type ValuesOf<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: true }>
>["values"];

/**
 * Exit codes: success; a failed run or an invalid definition; a usage error; a zone that refused or can't be reached; output that can't be
 * written; interrupted.
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unwritten: 4, left: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The options and operands of one command line. */
export interface Call<Options extends CommandOptions> {
  readonly values: ValuesOf<Options>;
  readonly operands: readonly string[];
}

/** A command: its name, arguments, help text and implementation. */
export interface CommandDefinition<Options extends CommandOptions> {
  /** One or two words, e.g. `runs list`. */
  readonly name: string;
  readonly summary: string;
  /** The operands as the help shows them, e.g. `<file…>`. */
  readonly operands: string;
  /** Minimum and maximum number of operands. */
  readonly count: readonly [least: number, most: number];
  readonly options: Options;
  /** Example command lines with their explanations. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly run: (call: Call<Options>, session: Session) => Promise<ExitCode>;
}

/** A command without the types of its options. */
export interface Command extends Omit<CommandDefinition<CommandOptions>, "run"> {
  readonly run: (call: Call<CommandOptions>, session: Session) => Promise<ExitCode>;
}

/** Types the values of a command's options. */
export function defineCommand<const Options extends CommandOptions>(command: CommandDefinition<Options>): Command {
  return command;
}

/** Shared by every command that prints data. */
export const jsonOption = { type: "boolean", help: "print one JSON document instead" } as const;
