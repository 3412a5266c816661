import { existsSync } from "node:fs";
import type { Writable } from "node:stream";
import { parseArgs } from "node:util";
import {
  databaseUrlOf,
  databaseVariables,
  dataKeysProblems,
  dataKeysVariables,
  type Environment,
  loadConfig,
  type Vault,
  vaultOf,
} from "@crosszone/service-kit";
import type { OwnedData } from "@crosszone/sql";
import type { createKeyCommands } from "./data-keys.ts";

type Command = "export" | "purge" | "reseal" | "forget" | "parked" | "retry" | "backup";

/** The options of each command, and what a command that takes an id says when it is missing. */
const commands: Readonly<Record<Command, readonly [options: readonly string[], takes?: string]>> = {
  export: [["team", "out"]],
  purge: [["team", "yes"]],
  reseal: [[]],
  forget: [[], "forget takes the id of a lost key."],
  parked: [[]],
  retry: [[], "retry takes one request id."],
  backup: [[], "backup takes create or restore, and a folder."],
};

/** A parsed command line. */
export interface DataArgs {
  readonly command: Command;
  /** Of `export` and `purge`. */
  readonly team: string;
  /** Of `export`. Default: the standard output. */
  readonly out?: string;
  /** Of `purge`: skip the confirmation. */
  readonly yes: boolean;
  /** Of `retry`, a request id; of `forget`, that of a key; of `backup`, `create` or `restore`. */
  readonly id: string;
  /** Of `backup`. */
  readonly folder: string;
}

const options = {
  team: { type: "string" },
  out: { type: "string" },
  yes: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Parses the arguments of a data command. `wrong` is the error text for invalid arguments. */
export function readDataArgs(args: readonly string[]): DataArgs | { readonly help: true } | { readonly wrong: string } {
  const read = parsed(args);
  if (read === undefined) return { wrong: `Invalid arguments: ${args.join(" ")}` };
  const { values, positionals } = read;
  if (values.help === true) return { help: true };
  const [word = "", id = "", folder = "", ...rest] = positionals;
  if (!isCommand(word)) return { wrong: word === "" ? "Missing command." : `Unknown command “${word}”.` };
  const [allowed, takes] = commands[word];
  const stray = Object.keys(values).find((name) => !allowed.includes(name));
  if (stray !== undefined) return { wrong: `${word} has no option --${stray}.` };
  const isFolder = word === "backup" ? /^(?:create|restore)$/.test(id) && folder !== "" : folder === "";
  if ((takes !== undefined) !== (id !== "") || !isFolder || rest.length > 0)
    return { wrong: takes ?? `${word} takes no further arguments.` };
  const { team = "", out, yes = false } = values;
  if (allowed.includes("team") && !/^[TE][A-Z0-9]{1,30}$/.test(team))
    return { wrong: `${word} requires --team with the id of a Slack team, such as T0123ABCD.` };
  return { command: word, team, yes, id, out, folder };
}

const isCommand = (word: string): word is Command => Object.hasOwn(commands, word);

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

/** A question that failed too often and is no longer retried automatically. Contains no text of people. */
interface ParkedQuestion {
  readonly request_id: string;
  readonly team_id: string;
  /** Milliseconds since it arrived. */
  readonly age_ms: number;
  readonly attempts: number;
  /** Why the last attempt failed; contains nothing private. */
  readonly why: string;
}

/** The data of a zone, for the commands that export, delete, re-encrypt and list it. */
export interface ZoneData extends OwnedData, Pick<Storage, "at" | "firstKey"> {
  readonly zone: string;
  /** Tells the zone's next start that its tables are those of a backup, made at this time. */
  markRestored(at: string): Promise<unknown>;
  readonly keys: ReturnType<typeof createKeyCommands>;
  /** Absent in a zone that does not park questions. */
  readonly parked?: {
    list(): Promise<readonly ParkedQuestion[]>;
    /** Resolves with false if the question does not exist. */
    retry(requestId: string): Promise<boolean>;
  };
  close(): Promise<void>;
}

export interface DataTools {
  readonly zones: readonly ZoneData[];
  readonly args: DataArgs;
  /** To standard output. */
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly stdout: Writable;
  /** Asks the user. Resolves with undefined without a user. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** An error whose message is shown to the user of a command. */
export class DataCommandError extends Error {
  override readonly name = "DataCommandError";
}

/**
 * Database options of a command: refuse tables that a newer version added to, fail soon when the database is unreachable, and allow long
 * deletions.
 */
export const commandDatabase = { exact: true, connections: 2, waitMs: 2_000, statementTimeoutMs: 0 } as const;

/** Location of a zone's data. */
export interface Storage {
  /** For `openDatabase`. */
  readonly url: string;
  /** Without its password. */
  readonly at: string;
  readonly vault: Vault | undefined;
  /** The id of the first of DATA_KEYS; undefined without keys. */
  readonly firstKey: string | undefined;
}

/** Reads the location of a zone's database and its keys. Throws a `DataCommandError` if the database does not exist. */
export function storageOf(env: Environment, zone: string): Storage {
  const { values, warnings } = loadConfig({ ...databaseVariables, ...dataKeysVariables }, env, dataKeysProblems);
  const url = databaseUrlOf(values, zone);
  const file = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
  if (file !== undefined && !existsSync(file))
    throw new DataCommandError(
      `The ${zone} zone has no database at ${file}. Set DATA_DIR or DATABASE_URL to the zone's value. ${warnings.join(" ")}`.trim(),
    );
  const firstKey = values.DATA_KEYS?.[0]?.split(":")[0];
  return { url, at: describeDatabase(url), vault: vaultOf(values), firstKey };
}

/** Returns a database URL without user and password, for people. */
export function describeDatabase(url: string): string {
  if (url.startsWith("sqlite:")) return `SQLite ${url.slice("sqlite:".length)}`;
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL ${hostname}${port && `:${port}`}${pathname}`;
}
