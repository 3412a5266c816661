import { DatabaseUnavailableError } from "../query/errors.ts";

export interface PostgresAddress {
  /** For pg, without `options`. */
  readonly connectionString: string;
  /** Server parameters in the URL: `-c name=value …`. */
  readonly options: string;
  /** For people: host, port and database, without user and password. */
  readonly name: string;
}

/** pg treats these as `verify-full`, with a warning; libpq does not. */
const takenForVerifyFull = new Set(["prefer", "require", "verify-ca"]);
const otherSslModes = new Set(["disable", "no-verify", "verify-full"]);

/**
 * Parses a `postgres:` URL. Every `sslmode` that requires TLS also verifies the server, against the system's authorities or `sslrootcert`.
 * `no-verify` only encrypts. Without `sslmode`, TLS is off. Throws a `DatabaseUnavailableError` for an invalid URL.
 */
export function readPostgresUrl(text: string): PostgresAddress {
  // The error of `new URL` would contain the password.
  const url = URL.parse(text);
  if (url === null)
    throw new DatabaseUnavailableError(
      "The database URL is not valid. Expected postgres://user:password@host:5432/name.",
    );
  const { searchParams } = url;
  const options = searchParams.get("options") ?? "";
  searchParams.delete("options");
  const sslMode = searchParams.get("sslmode");
  if (sslMode !== null && searchParams.get("uselibpqcompat") !== "true") {
    if (takenForVerifyFull.has(sslMode)) searchParams.set("sslmode", "verify-full");
    else if (!otherSslModes.has(sslMode))
      throw new DatabaseUnavailableError(
        `The database URL has sslmode=${sslMode}. Expected verify-full, no-verify (encrypts, but does not verify the server) or disable.`,
      );
  }
  const host = searchParams.get("host") ?? (url.hostname || "localhost");
  const port = searchParams.get("port") ?? (url.port || "5432");
  const name = `PostgreSQL at ${host}:${port}, database ${JSON.stringify(decodeURIComponent(url.pathname.slice(1)))},`;
  return { connectionString: url.href, options, name };
}
