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
