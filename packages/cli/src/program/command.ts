import type { ExitCode } from "./errors.ts";
import type { Session } from "./session.ts";

/** An option: its flags as commander reads them, such as `--limit <count>`, and its help text. */
export interface CommandOption {
  readonly flags: `--${string}`;
  readonly help: string;
  /** Set for an option that can be repeated. */
  readonly multiple?: true;
}

/** Options by the name that commander derives from the flags, e.g. `dryRun` for `--dry-run`, `slack` for `--no-slack`. */
type CommandOptions = Readonly<Record<string, CommandOption>>;

type ValueOf<Option extends CommandOption> = Option extends { readonly multiple: true }
  ? string[]
  : Option["flags"] extends `${string} <${string}>`
    ? string
    : boolean;

/** The options and operands of one command line. */
export interface Call<Options extends CommandOptions> {
  readonly values: { readonly [Name in keyof Options]?: ValueOf<Options[Name]> | undefined };
  readonly operands: readonly string[];
}

/** What a command prints, unless it prints by itself. */
export interface Printed {
  /** Printed as JSON instead of the text, if `--json` is given. */
  readonly json?: unknown;
  /** For the standard output. Ends with a line feed. */
  readonly text: string;
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
  /** As commander reads them: `<run>` is required, `[tool]` is optional, `<file...>` can be repeated. */
  readonly operands: readonly string[];
  readonly options: Options;
  /** Example command lines with their explanations. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly run: (call: Call<Options>, session: Session) => Promise<Printed | ExitCode>;
}

/** A command without the types of its options. */
export interface Command extends Omit<CommandDefinition<CommandOptions>, "run"> {
  readonly run: (call: Call<CommandOptions>, session: Session) => Promise<Printed | ExitCode>;
}

/** Types the values of a command's options. */
export function defineCommand<const Options extends CommandOptions>(command: CommandDefinition<Options>): Command {
  // The program reads the values by the same options.
  return command as unknown as Command;
}

/** Shared by every command that prints data. */
export const jsonOption = { flags: "--json", help: "print one JSON document instead" } as const;
