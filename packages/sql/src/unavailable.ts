import { DatabaseUnavailableError } from "./database-errors.ts";

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

/** Says of a database by `name` why it cannot be used, and what to do. */
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
