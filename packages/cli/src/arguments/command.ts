import type { parseArgs, ParseArgsOptionDescriptor } from "node:util";
import type { Session } from "../session.ts";

/** An option of `parseArgs`, and what its help says. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly help: string;
}

type CommandOptions = Readonly<Record<string, CommandOption>>;
type ValuesOf<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: true }>
>["values"];

/**
 * How a process ends: well, with a failed run or an invalid definition, called wrongly, without the zone's consent, with an answer that could
 * not be written, or because the person left.
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unwritten: 4, left: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What a command was asked for. */
export interface Call<Options extends CommandOptions> {
  readonly values: ValuesOf<Options>;
  readonly operands: readonly string[];
}

/** A command: how it is called, what its help says, and what it does. */
export interface CommandDefinition<Options extends CommandOptions> {
  /** The words that name it. */
  readonly name: string;
  readonly summary: string;
  /** The operands as the help shows them, e.g. `<file…>`. */
  readonly operands: string;
  /** How many of them there have to be, and may be. */
  readonly count: readonly [least: number, most: number];
  readonly options: Options;
  /** Command lines with what each does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly run: (call: Call<Options>, session: Session) => Promise<ExitCode>;
}

/** A command whose options are known to nobody else. */
export interface Command extends Omit<CommandDefinition<CommandOptions>, "run"> {
  readonly run: (call: Call<CommandOptions>, session: Session) => Promise<ExitCode>;
}

/** Types the values of a command by its own options. */
export function defineCommand<const Options extends CommandOptions>(command: CommandDefinition<Options>): Command {
  return command;
}

/** Of every command that tells of something. */
export const jsonOption = { type: "boolean", help: "print one JSON document instead" } as const;
