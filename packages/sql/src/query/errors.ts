import { retry, type RetryOptions } from "@crosszone/service-kit/timing";

/** A database could not be opened. The message names it and says what to do. Contains no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/** A newer version of the program migrated the tables in a way that this one can't work with. */
export class NewerDatabaseError extends DatabaseUnavailableError {
  override readonly name: string = "NewerDatabaseError";

  constructor(steps: readonly string[]) {
    super(
      `A newer version of this program changed the database (${steps.join(", ")}), and this version can't work with that change. ` +
        "Use that version or a later one. To go back, restore a backup from before the upgrade.",
    );
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html and Node's errors of connections. */
const advice: Readonly<Record<string, string>> = {
  "28P01": "Check the user and the password in its URL.",
  "28000": "Check the user and the password in its URL, and the server's access rules.",
  "3D000": "Create the database first, or check its name in the URL.",
  "42501": "Grant the user the right to create a schema in it, and to use it.",
  "53300": "Raise the server's connection limit, or open fewer connections.",
  ECONNREFUSED: "Start it, or check the host and the port in its URL.",
  ENOTFOUND: "Check the host in its URL.",
  ETIMEDOUT: "Check the host in its URL, and whether the network allows the connection.",
};

/** Returns an error that names the database, and says why it cannot be used and what to do. */
export function databaseUnavailable(name: string, cause: unknown): DatabaseUnavailableError {
  if (cause instanceof DatabaseUnavailableError) return cause;
  const { code = "", message } = cause as { readonly code?: string; readonly message?: string };
  const what = advice[code] === undefined ? "" : ` ${advice[code]}`;
  return new DatabaseUnavailableError(`${name} cannot be used: ${message || code}.${what}`, { cause });
}

/** Why a database can't work, in words for health checks and callers. */
interface Outage {
  readonly what: string;
  /** Whether it ends by itself, so that the same operation may succeed a little later. */
  readonly passes: boolean;
}

const passing = (what: string): Outage => ({ what, passes: true });
const lasting = (what: string): Outage => ({ what, passes: false });

const unreachable = passing("the database is unreachable");
const restarting = passing("the database is starting or stopping");
const busy = passing("the database is busy");
const full = lasting("the database's disk is full: free up space");
const failing = lasting("the database's disk fails or is full");

/** https://www.postgresql.org/docs/current/errcodes-appendix.html and errors of unreachable servers */
const byCode: Readonly<Record<string, Outage>> = {
  "25006": passing("the database is read-only"), // The server has become a standby.
  "25P03": unreachable, // idle_in_transaction_session_timeout
  "40001": busy, // serialization_failure
  "40P01": busy, // deadlock_detected
  "53100": full,
  "53200": lasting("the database is out of memory"),
  "53300": passing("the database has too many connections"),
  "55P03": busy, // lock_not_available
  "57014": busy, // query_canceled: the statement timed out
  "57P01": restarting, // admin_shutdown
  "57P02": restarting, // crash_shutdown
  "57P03": restarting, // cannot_connect_now
  "57P05": unreachable, // idle_session_timeout
  "58030": failing, // io_error
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ECONNABORTED: unreachable,
  EPIPE: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  ENETRESET: unreachable,
  EAI_AGAIN: unreachable,
  ENOTFOUND: unreachable,
};

/** Errors of pg without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/** SQLite's primary codes. https://www.sqlite.org/rescode.html */
const bySqliteCode: Readonly<Record<number, Outage>> = {
  5: busy, // SQLITE_BUSY: another process locks the file.
  8: lasting("the database's disk or file is read-only"), // SQLITE_READONLY
  10: failing, // SQLITE_IOERR
  13: full, // SQLITE_FULL
  14: lasting("the database's file can't be opened"), // SQLITE_CANTOPEN
  15: busy, // SQLITE_PROTOCOL
};

/**
 * Returns why the database can't work; undefined if the error has another reason. After a lost connection, it is unknown whether the
 * operation took effect.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // A pooler refuses our parameters, and will again.
  if (code === "08P01" && error.message.includes("startup parameter")) return undefined;
  // `SealedTextError`: another process of the zone may have the key.
  if (code === "unknown_key") return lasting(error.message);
  const known =
    (typeof errcode === "number" ? bySqliteCode[errcode & 0xff] : undefined) ??
    (typeof code === "string" ? byCode[code] : undefined);
  if (known !== undefined) return known;
  const isLost = (typeof code === "string" && /^08\w{3}$/.test(code)) || lostConnection.test(error.message);
  return isLost ? unreachable : outageOf(error.cause);
}

/** Returns true if the same operation may succeed a little later. */
export const isTransient = (error: unknown): boolean => outageOf(error)?.passes === true;

/** Retries an operation after transient errors (`isTransient`), for ten seconds unless the options say otherwise. */
export const retryTransient = <T>(
  operation: () => Promise<T>,
  options: {
    readonly budgetMs?: number;
    readonly signal?: AbortSignal;
    readonly onRetry?: RetryOptions["onRetry"];
  } = {},
): Promise<T> =>
  retry(operation, {
    firstMs: 20,
    longestMs: 1_000,
    budgetMs: 10_000,
    retryAfter: (error) => (isTransient(error) ? 0 : undefined),
    ...options,
  });

/** Retries an operation for a second while the database is unreachable, when somebody waits for it. */
export const retryBriefly = <T>(operation: () => Promise<T>): Promise<T> =>
  retryTransient(operation, { budgetMs: 1_000 });
