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

/** Returns an error that names the database, and says why it cannot be used and what to do. */
export function databaseUnavailable(name: string, cause: unknown): DatabaseUnavailableError {
  if (cause instanceof DatabaseUnavailableError) return cause;
  const { code = "", message } = cause as { readonly code?: string; readonly message?: string };
  const [said, outage] = [message || code, outageOf(connectionError(cause))];
  const why = outage === undefined ? `${said}.` : `${outage.what} (${said}). ${outage.todo ?? ""}`;
  return new DatabaseUnavailableError(`${name} cannot be used: ${why.trim()}`, { cause });
}

/** Why a database can't work, in words for health checks and callers. */
export interface Outage {
  readonly what: string;
  /** Whether it ends by itself, so that the same operation may succeed a little later. */
  readonly passes: boolean;
  /** What an operator can do. */
  readonly todo?: string;
}

/** An error of this package's own that says what the outage is. */
export class OutageError extends Error {
  override readonly name: string = "OutageError";
  readonly outage: Outage;

  constructor(message: string, outage: Outage, cause?: unknown) {
    super(message, { cause });
    this.outage = outage;
  }
}

const passing = (what: string, todo?: string): Outage => ({ what, passes: true, ...(todo && { todo }) });
const lasting = (what: string, todo?: string): Outage => ({ ...passing(what, todo), passes: false });

const hostTodo = "Check the host in its URL, and whether the network allows the connection.";
const unreachable = passing("the database is unreachable", "Start it, or check the host and the port in its URL.");
const unknownHost = passing("the database's host is unknown or can't be reached", hostTodo);
const restarting = passing("the database is starting or stopping");
const busy = passing("the database is busy");
const full = lasting("the database's disk is full: free up space");
export const failing: Outage = lasting("the database's disk fails or is full");
export const moved: Outage = lasting(
  "the database's file was moved, replaced or deleted: put it back, or restart the zone",
);
const damaged = lasting("the database is damaged", "Restore a backup.");
const noMemory = lasting("the database is out of memory");
const credentials = "Check the user and the password in its URL.";
const refused = lasting("the database refuses the zone's user", `${credentials} Check the server's access rules.`);
const authority = lasting(
  "the database's certificate is of an authority that this zone does not know",
  "Add &sslrootcert=/path/ca.pem to its URL, with the certificate of the authority.",
);

/** https://www.postgresql.org/docs/current/errcodes-appendix.html and errors of unreachable servers */
const byCode: Readonly<Record<string, Outage>> = {
  "25006": passing("the database is read-only", "Name the primary server in its URL."), // The server is a standby.
  "25P03": unreachable, // idle_in_transaction_session_timeout
  "28P01": lasting("the database refuses the zone's password", credentials),
  "3D000": lasting("the database does not exist", "Create the database first, or check its name in the URL."),
  "40001": busy, // serialization_failure
  "40P01": busy, // deadlock_detected
  "42501": lasting(
    "the database refuses the zone's user a right",
    "Grant the user the right to create a schema in it, and to use it.",
  ),
  "53100": full,
  "53200": noMemory,
  "53300": passing(
    "the database has too many connections",
    "Raise the server's connection limit, or open fewer connections.",
  ),
  "55P03": busy, // lock_not_available
  "57014": busy, // query_canceled: the statement timed out
  "57P04": lasting("the database was dropped", "Create it again, from a backup."),
  "57P05": unreachable, // idle_session_timeout
  "58030": failing, // io_error
  XX001: damaged, // data_corrupted
  XX002: damaged, // index_corrupted
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ECONNABORTED: unreachable,
  EPIPE: unreachable,
  ETIMEDOUT: unknownHost,
  EHOSTUNREACH: unknownHost,
  EHOSTDOWN: unknownHost,
  ENETUNREACH: unknownHost,
  ENETDOWN: unknownHost,
  ENETRESET: unreachable,
  EAI_AGAIN: unknownHost,
  ENOTFOUND: unknownHost,
};

/** What any other code of a class means: of connections, authorization, resources, operators, and the server's system. */
const byClass: Readonly<Record<string, Outage>> = {
  "08": unreachable,
  "28": refused,
  "53": lasting("the database lacks a resource"),
  "57": restarting,
  "58": lasting("the database's server fails"),
};

/** Errors of pg without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/** Only a connection's error tells of the database's certificate: those of other servers have the same codes. */
const byConnectionError: readonly (readonly [RegExp, Outage])[] = [
  [/^(CERT_HAS_EXPIRED|CRL_HAS_EXPIRED)$/, lasting("the database's certificate has expired", "Renew it.")],
  [/^CERT_NOT_YET_VALID$/, lasting("the database's certificate is not valid yet", "Compare the clocks.")],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    lasting("the database's certificate is for another host", "Use a host that it names in the database's URL."),
  ],
  [/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED|INVALID_CA)/, authority],
  [/^(CERT_|CRL_|ERR_TLS_|HOSTNAME_MISMATCH)/, lasting("the database's certificate is not accepted")],
  [
    /does not support SSL/,
    lasting("the database's server does not support TLS", "Set up TLS there, or take sslmode out of the URL."),
  ],
  [/^(ERR_SSL_|EPROTO)/, lasting("the TLS handshake with the database fails")],
  [/^(ENOENT|EACCES)$/, lasting("a file that the database's URL names can't be read", "Check sslrootcert in it.")],
];

/** https://www.pgbouncer.org/config.html#ignore_startup_parameters */
const poolerRefuses = lasting(
  "a pooler in front of the database refuses the zone's connection",
  "Set ignore_startup_parameters = options in PgBouncer, and for the zone's role: alter role … in database … set search_path = verification, or execution.",
);

const connectionErrors = new WeakSet<object>();

/** Marks an error of connecting to the database, so that `outageOf` knows whose it is. Returns it. */
export function connectionError(error: unknown): unknown {
  if (error instanceof Error) connectionErrors.add(error);
  return error;
}

/** SQLite's primary codes. https://www.sqlite.org/rescode.html */
const bySqliteCode: Readonly<Record<number, Outage>> = {
  3: lasting("the database's file can't be accessed"), // SQLITE_PERM
  5: busy, // SQLITE_BUSY: another process locks the file.
  7: noMemory, // SQLITE_NOMEM
  8: lasting("the database's disk or file is read-only"), // SQLITE_READONLY
  10: failing, // SQLITE_IOERR
  11: damaged, // SQLITE_CORRUPT
  13: full, // SQLITE_FULL
  14: lasting("the database's file can't be opened"), // SQLITE_CANTOPEN
  15: busy, // SQLITE_PROTOCOL
  26: lasting("the database's file is not a SQLite database", "Restore a backup."), // SQLITE_NOTADB
};

/**
 * Returns why the database can't work; undefined if the error has another reason. After a lost connection, it is unknown whether the
 * operation took effect.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof OutageError) return error.outage;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number" && bySqliteCode[errcode & 0xff]) return bySqliteCode[errcode & 0xff];
  const text = typeof code === "string" ? code : "";
  // A pooler refuses our parameters, and will again.
  if (text === "08P01" && error.message.includes("startup parameter")) return poolerRefuses;
  // `SealedTextError`: another process of the zone may have the key.
  if (text === "unknown_key") return lasting(error.message);
  const known = byCode[text] ?? (/^\d[\dA-Z]{4}$/.test(text) ? byClass[text.slice(0, 2)] : undefined);
  if (known !== undefined) return known;
  if (lostConnection.test(error.message)) return unreachable;
  const ofConnection = connectionErrors.has(error)
    ? byConnectionError.find(([pattern]) => pattern.test(text || error.message))?.[1]
    : undefined;
  return ofConnection ?? outageOf(error.cause);
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
