import type { ConformanceCheck } from "@crosszone/contracts";
import { asJson } from "./json.ts";
import { createParser } from "eventsource-parser";

/** A request and what came back. */
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

export interface HttpRequest {
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
export async function exchange({ fetch, signal }: Wire, request: HttpRequest): Promise<Exchange> {
  const { url, method, headers = {}, body, limitMs, onEvent = () => {}, until } = request;
  const limit = AbortSignal.timeout(limitMs);
  const closing = new AbortController();
  const end = AbortSignal.any([signal, limit, closing.signal, ...(until ? [until] : [])]);
  const startedAt = performance.now();
  let response: Response | undefined;
  const read = { text: "", events: [] as StreamedEvent[] };
  let problem: string | undefined;
  try {
    const responding = fetch(url, { method, headers, redirect: "manual", signal: end, body });
    response = await Promise.race([responding, rejectedBy(end)]);
    await readBody(response, read, { startedAt, onEvent, signal: end });
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
      body: read.text === "" ? undefined : shown(read.text),
    },
    status: response?.status,
    mediaType: contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "",
    text: read.text,
    json: asJson(read.text),
    events: read.events,
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

export interface StreamedEvent {
  /** Milliseconds since the request was sent. */
  readonly atMs: number;
  readonly data: string;
  /** Undefined when the data is not JSON. */
  readonly json: unknown;
}

/** Most characters of a response. */
const mostCharacters = 8 * 1_024 * 1_024;

interface ReadSoFar {
  text: string;
  readonly events: StreamedEvent[];
}

/**
 * Reads a response into `into`, event by event when it is a stream. Throws when it breaks off, is larger than 8 MiB, or the signal ends the
 * reading. `startedAt` is when the request was sent, of `performance.now()`.
 */
async function readBody(
  response: Response,
  into: ReadSoFar,
  options: {
    readonly startedAt: number;
    readonly onEvent: (event: StreamedEvent) => void;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const isStream = response.headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = { atMs: performance.now() - options.startedAt, data, json: asJson(data) };
      into.events.push(event);
      options.onEvent(event);
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  options.signal.addEventListener("abort", () => void reader?.cancel().catch(() => {}), { once: true });
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    const text = decoder.decode(piece.value, { stream: true });
    into.text += text;
    if (into.text.length > mostCharacters) throw new Error("the response is larger than 8 MiB");
    if (isStream) parser.feed(text);
  }
  options.signal.throwIfAborted();
}
