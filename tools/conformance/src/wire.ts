import { isObject, type JsonObject } from "@crosszone/a2a";
import type { ConformanceCheck } from "@crosszone/contracts";
import { createParser } from "eventsource-parser";

export { isObject, type JsonObject };

/** Returns the value when it is an object. */
export function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the objects of an array; none when it is not an array. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value when it is a string that is not empty. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Writes a value in a sentence: as short JSON. */
export function quoted(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Parses JSON; undefined when the text is not JSON. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface Exchange {
  readonly sent: NonNullable<ConformanceCheck["sent"]>;
  readonly received: NonNullable<ConformanceCheck["received"]>;
  /** Undefined when the agent did not respond. */
  readonly status: number | undefined;
  /** The media type, lower case, without parameters; empty when absent. */
  readonly mediaType: string;
  readonly text: string;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
  readonly events: readonly StreamedEvent[];
  /** How the response ended: whole, ended by us, out of time, broken or never begun. */
  readonly ended: "whole" | "left" | "late" | "broken";
  /** Why the response is missing or incomplete. */
  readonly problem: string | undefined;
  /** Milliseconds until the response ended. */
  readonly tookMs: number;
}

export interface WireRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time limit, milliseconds. */
  readonly limitMs: number;
  /** Called with each event of a stream. */
  readonly onEvent?: (event: StreamedEvent) => void;
  /** Closes the stream. */
  readonly until?: AbortSignal;
}

/** Sends requests of one run. */
export interface Wire {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** Characters of a body that a report shows. */
const shownCharacters = 4_096;

/** Sends a request. Never rejects, except with the reason of the run's signal. */
export async function exchange({ fetch, signal }: Wire, request: WireRequest): Promise<Exchange> {
  const { url, method, body, limitMs, onEvent = () => {}, until } = request;
  // Some servers close a kept connection after an error, just as the next request arrives.
  const headers = { ...request.headers, connection: "close" };
  const limit = AbortSignal.timeout(limitMs);
  const closing = new AbortController();
  const end = AbortSignal.any([signal, limit, closing.signal, until].filter((one) => one !== undefined));
  const startedAt = performance.now();
  let response: Response | undefined;
  let text = "";
  const events: StreamedEvent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = { atMs: performance.now() - startedAt, data, json: asJson(data) };
      events.push(event);
      onEvent(event);
    },
  });
  let problem: string | undefined;
  try {
    const responding = fetch(url, { method, headers, redirect: "manual", signal: end, body });
    response = await Promise.race([responding, rejectedBy(end)]);
    const isStream = response.headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
    for await (const piece of textIn(response, end)) {
      text += piece;
      if (text.length > mostCharacters) throw new Error("the response is larger than 8 MiB");
      if (isStream) parser.feed(piece);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!until?.aborted) problem = limit.aborted ? `no complete response within ${limitMs / 1_000} s` : reasonOf(error);
  } finally {
    closing.abort();
  }
  const contentType = response?.headers.get("content-type") ?? "";
  return {
    sent: { method, url, body: body && shown(body) },
    received: {
      status: response?.status,
      content_type: response && contentType,
      body: text === "" ? undefined : shown(text),
    },
    status: response?.status,
    mediaType: contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "",
    text,
    json: asJson(text),
    events,
    ended: until?.aborted ? "left" : problem === undefined ? "whole" : limit.aborted ? "late" : "broken",
    problem,
    tookMs: performance.now() - startedAt,
  };
}

/** Rejects when the signal aborts: not every `fetch` heeds it. */
const rejectedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });

const shown = (text: string): string =>
  text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** The message of a failed request: of its cause, where that says more. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const nested = cause instanceof Error ? cause : error;
  return nested.message || ("code" in nested && String(nested.code)) || error.message;
}

interface StreamedEvent {
  /** Milliseconds since the request was sent. */
  readonly atMs: number;
  readonly data: string;
  /** Undefined when the data is not JSON. */
  readonly json: unknown;
}

/** Most characters of a response. */
const mostCharacters = 8 * 1_024 * 1_024;

/** Yields the text of a response. Throws when it breaks off, or the signal ends the reading. */
async function* textIn({ body }: Response, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  signal.addEventListener("abort", () => void reader?.cancel().catch(() => {}), { once: true });
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read())
    yield decoder.decode(piece.value, { stream: true });
  signal.throwIfAborted();
}
