import { isProblem } from "@crosszone/contracts";
import { RefusedError, UnreachableError } from "./api-failure.ts";

/** A zone, and how to be let in. */
export interface ZoneAddress {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** The token of the zone link, for questions to agents; a zone on loopback may want none. */
  readonly linkToken?: string | undefined;
  /** Said to who cannot reach it. */
  readonly hint: string;
}

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends a request once. Answers that are no success are thrown: `RefusedError`, or `UnreachableError` for what no zone says. */
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
    // The token is for this address alone.
    redirect: "manual",
  }).catch((error: unknown) => {
    throw new UnreachableError(`Cannot reach ${url}: ${reasonOf(error)}. ${hint}`, { cause: error });
  });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  const pauseMs = pauseOf(response);
  if (isProblem(problem)) throw new RefusedError(problem, pauseMs);
  throw new UnreachableError(`${url} answers HTTP ${response.status}, not as an execution zone does. ${hint}`, {
    pauseMs,
    isPassing: response.status >= 500,
  });
}

/** What `Retry-After` says, in seconds or as a date. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
function pauseOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Why a request was not answered, in a few words. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "TimeoutError") return "no answer in time";
  const { code, message: inner } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND") return "there is no such host";
  return inner || code || message;
}
