import { setTimeout as delay } from "node:timers/promises";
import { isProblem, type ParamProblem, type Problem } from "@crosszone/contracts";
import { type JsonTextError, parseExactJson } from "@crosszone/contracts/json";

interface FailureOptions {
  readonly cause?: unknown;
  /** Delay before the next attempt that the zone asks for, milliseconds. */
  readonly retryAfterMs?: number;
  /** Whether the same request can succeed later. */
  readonly isTransient?: boolean;
}

/** HTTP statuses of a busy zone, and of a proxy in front of one. */
const transientStatuses = new Set([429, 502, 503, 504]);

/** The zone can't be reached, or the server at its address is not an execution zone. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly retryAfterMs: number | undefined;
  readonly isTransient: boolean;

  constructor(message: string, { cause, retryAfterMs, isTransient = true }: FailureOptions = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
    this.isTransient = isTransient;
  }
}

/** The zone refused the request. The message is the zone's reason. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The last part of the problem's type, e.g. `invalid-input`. */
  readonly kind: string;
  /** What the zone says about this one request. */
  readonly detail: string | undefined;
  readonly problems: readonly ParamProblem[];
  readonly retryAfterMs: number | undefined;
  readonly isTransient: boolean;

  constructor({ type, title, detail, status, problems = [], correlation_id }: Problem, retryAfterMs?: number) {
    // The message lists the problems instead of the detail, which only refers to them.
    const sentences = [title, problems.length > 0 ? undefined : detail]
      .filter((text) => text !== undefined)
      .map((text) => text.replace(/\.?$/, "."));
    const id = correlation_id !== undefined && status >= 500 ? ` Reference: ${correlation_id}.` : "";
    super(sentences.join(" ") + id);
    this.kind = type.slice(type.lastIndexOf("/") + 1);
    this.detail = detail;
    this.problems = problems;
    this.retryAfterMs = retryAfterMs;
    this.isTransient = transientStatuses.has(status);
  }
}

export type ApiFailure = UnreachableError | RefusedError;

export const isApiFailure = (error: unknown): error is ApiFailure =>
  error instanceof UnreachableError || error instanceof RefusedError;

/** Returns an error handler for one kind of refusal. It throws any other error again. */
export function onRefused<Result>(kind: string, handle: (error: RefusedError) => Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof RefusedError && error.kind === kind) return handle(error);
    throw error;
  };
}

/** Returns an error handler that gives one kind of refusal another message. */
export const orSay = (kind: string, messageOf: (error: RefusedError) => Promise<string> | string) =>
  onRefused(kind, async (error): Promise<never> => {
    error.message = await messageOf(error);
    throw error;
  });

const mostAttempts = 3;

/** Delay before the second attempt when the zone names none, milliseconds. Each further attempt adds as much. */
const firstDelayMs = 300;

/** The longest delay before a retry, milliseconds. The request fails instead of waiting longer. */
const longestDelayMs = 30_000;

/** Shortest and longest delay before a closed stream is reopened, milliseconds. The zone can ask for more. */
const shortestReconnectMs = 100;
const longestReconnectMs = 15_000;

/** Retries a request after transient failures. Only for requests that are safe to repeat. */
export async function retryRequest<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = retryDelay(error, firstDelayMs * count);
      if (delayMs === undefined || count >= mostAttempts) throw error;
      await delay(delayMs);
    }
  }
}

/**
 * Returns the delay before a stream is reopened, milliseconds: at least `requestedMs`, doubled for each of the `times` connections in a row
 * that brought no new event.
 */
export function reconnectDelay(requestedMs: number, times: number): number {
  return Math.max(requestedMs, Math.min(Math.max(requestedMs, shortestReconnectMs) * 2 ** times, longestReconnectMs));
}

/** Returns the delay before the next attempt, milliseconds: the one that the zone asks for, otherwise `defaultMs`. Undefined when a retry would fail again. */
export function retryDelay(error: unknown, defaultMs: number): number | undefined {
  if (!isApiFailure(error) || !error.isTransient) return undefined;
  const delayMs = error.retryAfterMs ?? defaultMs;
  return delayMs <= longestDelayMs ? delayMs : undefined;
}

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
}

/** Sends a request once. Throws a `RefusedError` for an error response of the zone, and an `UnreachableError` for any other failure. */
export async function send(
  { url, token, hint }: ZoneAddress,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { method = "GET", path, body, headers } = request;
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: JSON.stringify(body),
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
export function queryOf(members: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const set = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `?${new URLSearchParams(set).toString()}`;
}

export interface TimeRange {
  /** RFC 3339, UTC. */
  readonly since?: string;
  readonly until?: string;
}

export interface ListFilter extends TimeRange {
  /** An id, or a name or a word of it. */
  readonly person?: string;
  /** Whether it has not ended. */
  readonly open?: boolean | undefined;
  /** The beginning of an id. */
  readonly id?: string | undefined;
}

export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The value of a JSON text, or why it can't be read. `changed` is the value with changes; undefined if there is none. */
type ReadJson = { readonly value: unknown } | { readonly problem: string; readonly changed: unknown };

/** Never throws. */
export function readJson(text: string): ReadJson {
  try {
    return { value: parseExactJson(text.replace(/^\ufeff/, ""), { maxDepth: mostLevels }) };
  } catch (error) {
    const { kind, message, cause, value: changed } = error as JsonTextError;
    return { problem: kind === "not_json" ? (cause as Error).message : `it ${message}`, changed };
  }
}

/** Levels of nested arrays and objects: an answer of an agent has up to 128. */
const mostLevels = 256;
