import { isProblem } from "@crosszone/contracts";
import { RefusedError, UnreachableError } from "./failures.ts";

/** A zone's address and credentials. */
export interface ZoneAddress {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** The token of the zone link, for questions to agents. A zone on loopback may not need one. */
  readonly linkToken?: string;
  readonly pageToken?: string;
  /** Appended to errors when the zone can't be reached. */
  readonly hint: string;
}

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends a request once. Throws a `RefusedError` for an error response of the zone, and an `UnreachableError` for any other failure. */
export async function send({ url, token, hint }: ZoneAddress, request: ApiRequest): Promise<Response> {
  const { method = "GET", path, body, headers, signal } = request;
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    // A redirect must not carry the token to another address.
    redirect: "manual",
  }).catch((error: unknown) => {
    throw new UnreachableError(`Cannot reach ${url}: ${reasonOf(error)}. ${hint}`, { cause: error });
  });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  const retryAfterMs = retryAfterOf(response);
  if (isProblem(problem)) throw new RefusedError(problem, retryAfterMs);
  throw new UnreachableError(
    `${url} responded with HTTP ${response.status}; it does not look like an execution zone. ${hint}`,
    {
      retryAfterMs,
      isTransient: response.status >= 500,
    },
  );
}

/**
 * Returns the delay of `Retry-After`, given in seconds or as a date, in milliseconds.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Returns a short reason for a failed request. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "TimeoutError") return "the request timed out";
  const { code, message: inner } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (code === "ENOTFOUND") return "the host name does not exist";
  return inner || code || message;
}

/** Returns the query of a URL, including the question mark. Omits undefined members. */
export function queryOf(members: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `?${new URLSearchParams(set).toString()}`;
}

/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
