import { LinkError, parse, readResponse, type SendOptions, type Transport } from "@crosszone/jsonrpc";
import { certificateProblem, isReadableOnTheWay, type LiveFiles, readAtMost } from "@crosszone/service-kit";
import { openConnections } from "@crosszone/service-kit/outgoing";
import { unlessAborted } from "@crosszone/service-kit/timing";
import { createParser } from "eventsource-parser";
import type { Dispatcher } from "undici";
import { type ClientTls, createNoCredentials, type LinkCredentials, type ProofHeaders } from "./credentials.ts";

/** Sends a message within the caller's time, and turns every failure into a `LinkError`. `signal` aborts when the time is over. */
export async function sendInTime(
  { signal: stop, timeoutMs }: SendOptions,
  send: (signal: AbortSignal) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await send(stop === undefined ? limit : AbortSignal.any([stop, limit]));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    if (stop?.aborted) throw new LinkError("aborted", "the call was aborted", { cause: stop.reason });
    if (limit.aborted) throw new LinkError("timeout", `no answer within ${timeoutMs} ms`);
    const problem = certificateProblem(error);
    throw new LinkError("unreachable", problem ? `execution is not trusted: ${problem}` : "the connection failed", {
      cause: error,
    });
  }
}

/** Returns the `accept` header: a caller without a listener for notifications gets no event stream. */
export function acceptOf({ onNotification }: SendOptions): string {
  return onNotification === undefined ? "application/json" : "application/json, text/event-stream";
}

interface Reading {
  readonly isStream: boolean;
  /** Maximum size of the answer, bytes; of an event in a stream, characters. */
  readonly maxBytes: number;
  /** Called with each message of a stream that is not a response. */
  readonly onNotification: SendOptions["onNotification"];
  readonly httpStatus: number | undefined;
}

/** Reads an answer, or the last response in an event stream. Throws a `LinkError` if there is none or it is too large. */
export async function readLinkAnswer(body: AsyncIterable<Uint8Array>, reading: Reading): Promise<Uint8Array> {
  const { isStream, maxBytes, httpStatus } = reading;
  const answer = isStream ? await readEventStream(body, reading) : await readAtMost(body, maxBytes);
  if (answer === "too_large")
    throw new LinkError("invalid_response", `the answer is larger than ${maxBytes} bytes`, { httpStatus });
  if (answer === undefined)
    throw new LinkError("invalid_response", "the stream ended without an answer", { httpStatus, retryable: true });
  return answer;
}

/**
 * Reads server-sent events that contain JSON-RPC messages. Resolves with the last response; undefined without one.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
async function readEventStream(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, onNotification }: Reading,
): Promise<Uint8Array | "too_large" | undefined> {
  let answer: Uint8Array | undefined;
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent: ({ data }) => {
      const message = Buffer.from(data);
      if (data.length > maxBytes) tooLarge = true;
      else if (parse(message).type === "notification") onNotification?.(message);
      else answer = message;
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") tooLarge = true;
    },
  });
  // Not fatal: the caller rejects an event with invalid UTF-8 when it parses it.
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (tooLarge) return "too_large";
  }
  return answer;
}

export interface HttpsTransportOptions {
  /** URL of execution. `http:` only on this machine. `{session}` in its query becomes the session of a task. */
  readonly url: string;
  /** Authenticates requests; none when absent. */
  readonly credentials?: LinkCredentials;
  /** Certificates, if the default authorities are not used. */
  readonly tls?: LiveFiles<ClientTls>;
  /** Headers that the host requires in each request, in addition to those of the contract. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum size of a response, bytes. Default 4 MB. */
  readonly maxBytes?: number;
  /** Maximum number of open connections. Each long poll uses one. Default 128. */
  readonly connections?: number;
}

interface Attempt {
  readonly proof: ProofHeaders;
  readonly response: Dispatcher.ResponseData;
}

/**
 * Makes a transport that sends messages by HTTPS POST over persistent connections. It follows no redirects. It retries only a request that
 * was refused with 401 for outdated credentials, once, with new ones. A valid response is JSON with status 200, the end of an event stream
 * if the caller listens to events, or a JSON-RPC error with a status of 400 or higher. Any other response is a `LinkError`. Throws a
 * `TypeError` for an unsafe URL.
 */
export function createHttpsTransport(options: HttpsTransportOptions): Transport {
  const { url, credentials = createNoCredentials(), maxBytes = 4 * 1024 * 1024, connections = 128, tls } = options;
  if (isReadableOnTheWay(url)) throw new TypeError("the transport requires https: for hosts other than this machine");
  const { origin, pathname, search } = new URL(url);
  const pool = openPool(origin, connections, tls);
  const fixedHeaders = { ...options.headers, "content-type": "application/json" };

  const targetOf = (session: string): string => pathname + search.replaceAll("{session}", encodeURIComponent(session));

  const attempt = async (message: Uint8Array, sending: SendOptions, signal: AbortSignal): Promise<Attempt> => {
    const request = { method: "POST", target: targetOf(sending.session), body: message } as const;
    const proof = await proofOf(credentials.headers(request), signal);
    const traced = sending.traceparent === undefined ? {} : { traceparent: sending.traceparent };
    const response = await pool.current().request({
      origin,
      method: request.method,
      path: request.target,
      headers: {
        ...fixedHeaders,
        accept: acceptOf(sending),
        "x-correlation-id": sending.correlationId,
        "x-session-id": sending.session,
        ...traced,
        ...proof,
      },
      body: message,
      signal,
    });
    return { proof, response };
  };

  return {
    send: (message, sending) =>
      sendInTime(sending, async (signal) => {
        const { onNotification } = sending;
        const first = await attempt(message, sending, signal);
        if (first.response.statusCode !== 401 || !credentials.invalidate(first.proof))
          return readResponseOf(first.response, maxBytes, onNotification);
        await first.response.body.dump({ limit: 65_536 });
        return readResponseOf((await attempt(message, sending, signal)).response, maxBytes, onNotification);
      }),
    close: () => pool.destroy(),
  };
}

/** Returns the proof; rejects as soon as `signal` aborts, because the token source may exceed the caller's timeout. */
async function proofOf(proof: ProofHeaders | Promise<ProofHeaders>, signal: AbortSignal): Promise<ProofHeaders> {
  if (!(proof instanceof Promise)) return proof;
  try {
    return await unlessAborted(proof, signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new LinkError("unreachable", "no credentials are available", { cause });
  }
}

async function readResponseOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  onNotification: SendOptions["onNotification"],
): Promise<Uint8Array> {
  const type = String(headers["content-type"] ?? "");
  const isJson = /^application\/json\s*(;|$)/i.test(type);
  const isStream = onNotification !== undefined && /^text\/event-stream\s*(;|$)/i.test(type);
  // Whatever the body: a busy server gave up before it had read the request.
  const isUnread = statusCode === 408;
  if (isUnread || (!(isJson && (statusCode === 200 || statusCode >= 400)) && !(isStream && statusCode === 200))) {
    // Reads a little, to keep the connection; a longer body is not worth it.
    await body.dump({ limit: 65_536 });
    throw statusError(statusCode, isJson);
  }
  const bytes = await readLinkAnswer(body, { isStream, maxBytes, onNotification, httpStatus: statusCode });
  if (statusCode >= 400 && !isErrorAnswer(bytes)) throw statusError(statusCode, isJson);
  return bytes;
}

/** Returns the error for a status without a JSON-RPC response, from a proxy or an unrelated server. */
function statusError(httpStatus: number, isJson: boolean): LinkError {
  if (httpStatus === 408 || httpStatus === 502 || httpStatus === 503)
    return new LinkError("unreachable", `HTTP ${httpStatus}`, { httpStatus });
  if (httpStatus === 504) return new LinkError("timeout", `HTTP ${httpStatus}`, { httpStatus });
  const why =
    httpStatus >= 300 && httpStatus < 400 ? "a redirect is not followed" : isJson ? "no JSON-RPC answer" : "not JSON";
  return new LinkError("invalid_response", `HTTP ${httpStatus}: ${why}`, { httpStatus, retryable: httpStatus === 429 });
}

function isErrorAnswer(bytes: Uint8Array): boolean {
  try {
    return "error" in readResponse(bytes);
  } catch {
    return false;
  }
}

/** Keeps connections to one host. After certificates are replaced, new requests use new connections and the old ones end. */
function openPool(origin: string, connections: number, tls: LiveFiles<ClientTls> | undefined) {
  const open = new Set<Dispatcher>();
  const connect = (material: ClientTls | undefined): Dispatcher => {
    // The whole call has its own timeout; undici's would cut long polls.
    const limits = { connections, headersTimeout: 0, bodyTimeout: 0 };
    const made = openConnections({ ...limits, connect: { timeout: 5_000, ...material } }, origin);
    open.add(made);
    return made;
  };
  let used = tls?.current();
  let pool = connect(used);
  return {
    /** Returns the pool for the next request. */
    current: (): Dispatcher => {
      const next = tls?.current();
      if (next === used) return pool;
      const old = pool;
      [used, pool] = [next, connect(next)];
      void old.close().finally(() => open.delete(old));
      return pool;
    },
    /** Closes every connection immediately. */
    destroy: async (): Promise<void> => {
      await Promise.all([...open].map((one) => one.destroy()));
    },
  };
}
