import { existsSync } from "node:fs";
import { databaseUrlOf, databaseVariables } from "../database-variables.ts";
import { type Environment } from "../config-definition.ts";
import { loadConfig } from "../config.ts";
import { dataKeysProblems, dataKeysVariables, vaultOf } from "../vault/data-keys.ts";
import type { Vault } from "../vault/vault.ts";
import { DataCommandError } from "./data-command-error.ts";

/** How a command opens a database: one that is away is told at once, and deleting much may take any time. */
export const commandDatabase = { exact: true, connections: 2, waitMs: 2_000, statementTimeoutMs: 0 } as const;

/** Where a zone keeps its data. */
export interface Storage {
  /** For `openDatabase`. */
  readonly url: string;
  /** Without its password. */
  readonly at: string;
  readonly vault: Vault | undefined;
}

/** Reads where a zone's database is, and its keys. Throws in words when there is none: a command does not make one. */
export function storageOf(env: Environment, zone: string): Storage {
  const { values } = loadConfig({ ...databaseVariables, ...dataKeysVariables }, env, dataKeysProblems);
  const url = databaseUrlOf(values, zone);
  const file = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
  if (file !== undefined && !existsSync(file))
    throw new DataCommandError(
      `There is no database of the ${zone} zone at ${file}. Set DATA_DIR or DATABASE_URL as the zone has it.`,
    );
  return { url, at: describeDatabase(url), vault: vaultOf(values) };
}

/** Which database a URL means, without user and password. */
export function describeDatabase(url: string): string {
  if (url.startsWith("sqlite:")) return `SQLite ${url.slice("sqlite:".length)}`;
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL ${hostname}${port && `:${port}`}${pathname}`;
}
