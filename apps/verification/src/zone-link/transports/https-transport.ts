import { LinkError, readResponse, type SendOptions, type Transport } from "@crosszone/jsonrpc";
import { isReadableOnTheWay, type LiveFiles } from "@crosszone/service-kit";
import { unlessAborted } from "@crosszone/service-kit/timing";
import { type Dispatcher, Pool } from "undici";
import {
  type ClientTls,
  createNoCredentials,
  type Credentials,
  type ProofHeaders,
} from "../credentials/credentials.ts";
import { acceptOf, readAnswer, sendInTime } from "./exchange.ts";

export interface HttpsTransportOptions {
  /** URL of execution. `http:` only on this machine. `{session}` in its query becomes the session of a task. */
  readonly url: string;
  /** Authenticates requests; none when absent. */
  readonly credentials?: Credentials;
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
  const pool = new ConnectionPool(origin, connections, tls);
  const fixedHeaders = { ...options.headers, "content-type": "application/json" };

  const targetOf = (session: string): string => pathname + search.replaceAll("{session}", encodeURIComponent(session));

  const attempt = async (message: Uint8Array, sending: SendOptions, signal: AbortSignal): Promise<Attempt> => {
    const request = { method: "POST", target: targetOf(sending.session), body: message } as const;
    const proof = await proofOf(credentials.headers(request), signal);
    const response = await pool.current().request({
      method: request.method,
      path: request.target,
      headers: {
        ...fixedHeaders,
        accept: acceptOf(sending),
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
  const bytes = await readAnswer(body, { isStream, maxBytes, onNotification, httpStatus: statusCode });
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
class ConnectionPool {
  readonly #open = new Set<Pool>();
  readonly #connect: (material: ClientTls | undefined) => Pool;
  readonly #tls: LiveFiles<ClientTls> | undefined;
  #used: ClientTls | undefined;
  #pool: Pool;

  constructor(origin: string, connections: number, tls: LiveFiles<ClientTls> | undefined) {
    // The whole call has its own timeout; undici's would cut long polls.
    const limits = { connections, headersTimeout: 0, bodyTimeout: 0 };
    this.#connect = (material) => new Pool(origin, { ...limits, connect: { timeout: 5_000, ...material } });
    this.#tls = tls;
    this.#used = tls?.current();
    this.#pool = this.#connect(this.#used);
    this.#open.add(this.#pool);
  }

  /** Returns the pool for the next request. */
  current(): Pool {
    const next = this.#tls?.current();
    if (next === this.#used) return this.#pool;
    const old = this.#pool;
    this.#used = next;
    this.#pool = this.#connect(next);
    this.#open.add(this.#pool);
    void old.close().finally(() => this.#open.delete(old));
    return this.#pool;
  }

  /** Closes every connection immediately. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#open].map((one) => one.destroy()));
  }
}
