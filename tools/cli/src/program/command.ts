import type { OperationId } from "@crosszone/contracts/operations";
import type { ExitCode, Listed, Session } from "./session.ts";

/** An option: its flags as commander reads them, such as `--limit <count>`, and its help text. */
export interface CommandOption {
  readonly flags: `--${string}`;
  readonly help: string;
  /** Set for an option that can be repeated. */
  readonly multiple?: true;
  /** The values that it takes, for completion; any text when absent. */
  readonly names?: readonly string[];
}

/** Options by the name that commander derives from the flags, e.g. `dryRun` for `--dry-run`, `question` for `--no-question`. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

type ValueOf<Option extends CommandOption> = Option extends { readonly multiple: true }
  ? string[]
  : Option["flags"] extends `${string} <${string}>`
    ? string
    : boolean;

/** The options and operands of one command line. */
export interface ParsedCommand<Options extends CommandOptions> {
  readonly values: { readonly [Name in keyof Options]?: ValueOf<Options[Name]> | undefined };
  readonly operands: readonly string[];
}

/** Rows below a header. */
interface Listing {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Printed when there are no rows. */
  readonly none: string;
}

/** What a command prints, unless it prints by itself. */
export interface Printed {
  /** Printed as JSON instead of the text, if `--json` is given. */
  readonly json?: unknown;
  /** For the standard output: text that ends with a line feed, or a table that fits the terminal. */
  readonly text: string | Listing;
  /** For people, on the standard error: what the text leaves out. */
  readonly notice?: string;
  /** Whether the command succeeded (default true). */
  readonly isDone?: boolean;
}

/** A command: its name, arguments, help text and implementation. */
interface CommandDefinition<Options extends CommandOptions> {
  /** One or two words, e.g. `runs list`. A group named alone, such as `runs`, means its `list`. */
  readonly name: string;
  readonly summary: string;
  /** As commander reads them: `<run>` is required, `[tool]` is optional, `<file...>` can be repeated. None when absent. */
  readonly operands?: readonly string[];
  readonly options?: Options;
  /** Example command lines with their explanations. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly run: (call: ParsedCommand<Options>, session: Session) => Promise<Printed | ExitCode>;
}

/** A command without the types of its options. */
export type Command = Required<CommandDefinition<CommandOptions>> & {
  /** The operation of the API that it is; undefined for a command that is written by hand. */
  readonly operation?: OperationId;
  readonly lists?: Listed;
};

/** The operand of a command that hands its arguments, options too, to a program. */
export const anyArguments = "[arguments...]";

/** Commands below one heading of the help. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Types the values of a command's options. */
export function defineCommand<const Options extends CommandOptions>(command: CommandDefinition<Options>): Command {
  // The program reads the values by the same options.
  return { operands: [], options: {}, ...command } as unknown as Command;
}

/** Shared by every command that prints data. */
export const jsonOption = { flags: "--json", help: "print one JSON document instead" } as const;
