import { existsSync } from "node:fs";
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
  return { url, at: describeDatabase(url), vault: vaultOf(values) };
}

/** Returns a database URL without user and password, for people. */
export function describeDatabase(url: string): string {
  if (url.startsWith("sqlite:")) return `SQLite ${url.slice("sqlite:".length)}`;
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL ${hostname}${port && `:${port}`}${pathname}`;
}
