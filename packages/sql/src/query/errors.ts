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
export function unavailable(name: string, cause: unknown): DatabaseUnavailableError {
  if (cause instanceof DatabaseUnavailableError) return cause;
  const { code = "", message } = cause as { readonly code?: string; readonly message?: string };
  const what = advice[code];
  return new DatabaseUnavailableError(
    `${name} cannot be used: ${message || code}.${what === undefined ? "" : ` ${what}`}`,
    {
      cause,
    },
  );
}

/** SQLSTATEs of transient errors. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates = new Set([
  "25006", // read_only_sql_transaction: the server has become a standby
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "53300", // too_many_connections
  "55P03", // lock_not_available
  "57014", // query_canceled: the statement timed out
  "25P03", // idle_in_transaction_session_timeout
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "57P05", // idle_session_timeout
]);

/** System errors of an unreachable server. */
const systemErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENETRESET",
  "EAI_AGAIN",
  "ENOTFOUND",
]);

/** Errors of pg without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/** SQLITE_BUSY and SQLITE_PROTOCOL: other processes lock the file. https://www.sqlite.org/rescode.html */
const sqliteTurns = new Set([5, 15]);

/**
 * Returns true if the same operation may succeed a little later: the connection was lost or refused, the server restarts, is overloaded or
 * too slow, transactions conflicted, or another process locks the file. After a lost connection, it is unknown whether the operation took
 * effect.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number" && sqliteTurns.has(errcode & 0xff)) return true;
  if (typeof code === "string") {
    if (code === "08P01" && error.message.includes("startup parameter")) return false;
    if (sqlStates.has(code) || systemErrors.has(code) || /^08\w{3}$/.test(code)) return true;
  }
  return lostConnection.test(error.message) || (error.cause !== undefined && isTransient(error.cause));
}

/** SQLITE_IOERR and SQLITE_FULL. https://www.sqlite.org/rescode.html */
const sqliteRoom = new Set([10, 13]);

/** SQLSTATEs disk_full and out_of_memory. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const roomStates = new Set(["53100", "53200"]);

/** Returns true if the database has no space or its disk fails. The operation is valid, but retrying soon does not help. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number" && sqliteRoom.has(errcode & 0xff)) return true;
  return (typeof code === "string" && roomStates.has(code)) || (error.cause !== undefined && isOutOfRoom(error.cause));
}

/** Retries an operation after transient errors (`isTransient`), for ten seconds unless the options say otherwise. */
export const retryTransient = <T>(
  operation: () => Promise<T>,
  options: Pick<RetryOptions, "budgetMs" | "signal" | "onRetry"> = {},
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
