import { DatabaseUnavailableError } from "../database-errors.ts";

export interface PostgresAddress {
  /** For pg, without `options`. */
  readonly connectionString: string;
  /** Parameters of the server that the URL sets: `-c name=value …`. */
  readonly options: string;
  /** For people: host, port and database. Neither user nor password. */
  readonly name: string;
}

/** pg warns of these that it takes them for `verify-full`, which libpq does not. */
const takenForVerifyFull = new Set(["prefer", "require", "verify-ca"]);
const otherSslModes = new Set(["disable", "no-verify", "verify-full"]);

/**
 * Reads a `postgres:` URL. Whatever `sslmode` asks for TLS also proves the server, against the authorities of the system or
 * `sslrootcert`; `no-verify` only encrypts, and without any there is no TLS.
 */
export function readPostgresUrl(text: string): PostgresAddress {
  // The error of `new URL` would hold the password.
  const url = URL.parse(text);
  if (url === null)
    throw new DatabaseUnavailableError(
      "The URL of the database cannot be read: postgres://user:password@host:5432/name is expected.",
    );
  const { searchParams } = url;
  const options = searchParams.get("options") ?? "";
  searchParams.delete("options");
  const sslMode = searchParams.get("sslmode");
  if (sslMode !== null && searchParams.get("uselibpqcompat") !== "true") {
    if (takenForVerifyFull.has(sslMode)) searchParams.set("sslmode", "verify-full");
    else if (!otherSslModes.has(sslMode))
      throw new DatabaseUnavailableError(
        `The URL of the database says sslmode=${sslMode}: expected is verify-full, no-verify (encrypts, but does not prove the server) or disable.`,
      );
  }
  const host = searchParams.get("host") ?? (url.hostname || "localhost");
  const port = searchParams.get("port") ?? (url.port || "5432");
  const name = `PostgreSQL at ${host}:${port}, database ${JSON.stringify(decodeURIComponent(url.pathname.slice(1)))},`;
  return { connectionString: url.href, options, name };
}
