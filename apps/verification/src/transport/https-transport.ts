import { LinkError, readResponse, type SendOptions, type Transport } from "@crosszone/jsonrpc";
import { isReadableOnTheWay, readAtMost, unlessAborted, type LiveFiles } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";
import { createConnectionPool } from "./connection-pool.ts";
import type { ClientTls } from "./credentials/client-certificate.ts";
import type { Credentials, ProofHeaders } from "./credentials/credentials.ts";
import { createNoCredentials } from "./credentials/no-credentials.ts";
import { readEventStream } from "./read-event-stream.ts";
import { sendFailure } from "./send-failure.ts";

export interface HttpsTransportOptions {
  /** Where execution listens. `http:` only on this machine. */
  readonly url: string;
  /** Proves who sends; nothing is proved when absent. */
  readonly credentials?: Credentials;
  /** Certificates, where the usual authorities are not enough. */
  readonly tls?: LiveFiles<ClientTls> | undefined;
  /** Headers that the host wants with each request, beside those of the contract. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the query parameter by which the host keeps requests of one session together, if it has one. */
  readonly sessionQuery?: string | undefined;
  /** Largest answer that is read, bytes. Default 4 MB. */
  readonly maxBytes?: number;
  /** Connections that are kept open at most. Each long poll takes one. Default 128. */
  readonly connections?: number;
}

interface Attempt {
  readonly proof: ProofHeaders;
  readonly response: Dispatcher.ResponseData;
}

/**
 * Carries messages by HTTPS POST over kept connections. Follows no redirect, and repeats nothing but a request that was refused
 * with 401 because its proof was out of date: that one was not taken in, and goes once more with a new proof. An answer is JSON with
 * status 200, the end of a stream of events where somebody listens to these, or a JSON-RPC error with a status from 400 on; anything else is a `LinkError`. Throws a `TypeError` for an unsafe URL.
 */
export function createHttpsTransport(options: HttpsTransportOptions): Transport {
  const { url, credentials = createNoCredentials(), maxBytes = 4 * 1024 * 1024, connections = 128, tls } = options;
  if (isReadableOnTheWay(url)) throw new TypeError("the transport needs https: for every host but this machine");
  const { origin, pathname, search } = new URL(url);
  const pool = createConnectionPool({ origin, connections, tls: () => tls?.current() });
  const fixedHeaders = { ...options.headers, "content-type": "application/json" };

  const targetOf = (session: string): string => {
    if (options.sessionQuery === undefined) return pathname + search;
    const named = `${encodeURIComponent(options.sessionQuery)}=${encodeURIComponent(session)}`;
    return `${pathname}${search === "" ? "?" : `${search}&`}${named}`;
  };

  const attempt = async (message: Uint8Array, sending: SendOptions, signal: AbortSignal): Promise<Attempt> => {
    const request = { method: "POST", target: targetOf(sending.session), body: message } as const;
    const proof = await proofOf(credentials.headers(request), signal);
    const response = await pool.current().request({
      method: request.method,
      path: request.target,
      headers: {
        ...fixedHeaders,
        accept: sending.onNotification === undefined ? "application/json" : "application/json, text/event-stream",
        "x-correlation-id": sending.correlationId,
        "x-session-id": sending.session,
        ...(sending.traceparent !== undefined && { traceparent: sending.traceparent }),
        ...proof,
      },
      body: message,
      signal,
    });
    return { proof, response };
  };

  return {
    send: async (message, sending) => {
      const limit = AbortSignal.timeout(sending.timeoutMs);
      const signal = sending.signal === undefined ? limit : AbortSignal.any([sending.signal, limit]);
      const reading = { maxBytes, onNotification: sending.onNotification };
      try {
        const first = await attempt(message, sending, signal);
        if (first.response.statusCode !== 401 || !credentials.invalidate(first.proof))
          return await readAnswer(first.response, reading);
        await first.response.body.dump({ limit: 65_536 });
        return await readAnswer((await attempt(message, sending, signal)).response, reading);
      } catch (error) {
        throw sendFailure(error, sending, limit);
      }
    },
    close: () => pool.destroy(),
  };
}

/** The proof, or a rejection as soon as `signal` aborts: the source of tokens may be slower than the caller's patience. */
async function proofOf(proof: ProofHeaders | Promise<ProofHeaders>, signal: AbortSignal): Promise<ProofHeaders> {
  if (!(proof instanceof Promise)) return proof;
  try {
    return await unlessAborted(proof, signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new LinkError("unreachable", "no credentials could be had", { cause });
  }
}

interface Reading {
  readonly maxBytes: number;
  readonly onNotification: SendOptions["onNotification"];
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxBytes, onNotification }: Reading,
): Promise<Uint8Array> {
  const type = String(headers["content-type"] ?? "");
  const isJson = /^application\/json\s*(;|$)/i.test(type);
  const isStream = onNotification !== undefined && /^text\/event-stream\s*(;|$)/i.test(type);
  // Whatever it says: the server gave up before it had read the request, as a busy one does.
  const isUnread = statusCode === 408;
  if (isUnread || (!(isJson && (statusCode === 200 || statusCode >= 400)) && !(isStream && statusCode === 200))) {
    // Reads a little, so that the connection can be kept; more is not worth it.
    await body.dump({ limit: 65_536 });
    throw statusError(statusCode, isJson);
  }
  const refuse = (why: string): LinkError => new LinkError("invalid_response", why, { httpStatus: statusCode });
  const bytes = isStream
    ? await readEventStream(body, { maxSize: maxBytes, onNotification })
    : await readAtMost(body, maxBytes);
  if (bytes === "too_large") throw refuse(`the answer is larger than ${maxBytes} bytes`);
  if (bytes === undefined)
    throw new LinkError("invalid_response", "the stream ended without an answer", {
      httpStatus: statusCode,
      retryable: true,
    });
  if (statusCode >= 400 && !isErrorAnswer(bytes)) throw statusError(statusCode, isJson);
  return bytes;
}

/** What a status says that comes without a JSON-RPC answer: from a proxy, or from something else altogether. */
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
