import { LinkError, readResponse, type Transport } from "@crosszone/jsonrpc";
import { isReadableOnTheWay } from "@crosszone/service-kit";
import { Pool, type Dispatcher } from "undici";
import { readBody } from "./read-body.ts";
import { sendFailure } from "./send-failure.ts";

export interface HttpsTransportOptions {
  /** Where execution listens. `http:` only on this machine. */
  readonly url: string;
  /** Sent as a bearer token (RFC 6750). */
  readonly token?: string;
  /** Largest answer that is read, bytes. Default 4 MB. */
  readonly maxBytes?: number;
  /** Connections that are kept open at most. Each long poll takes one. Default 128. */
  readonly connections?: number;
  /** A certificate authority to trust beside the usual ones, PEM. */
  readonly ca?: string;
}

/**
 * Carries messages by HTTPS POST over kept connections. Follows no redirect, repeats nothing. An answer is JSON with status 200, or
 * a JSON-RPC error with a status from 400 on; anything else is a `LinkError`. Throws a `TypeError` for an unsafe URL.
 */
export function createHttpsTransport(options: HttpsTransportOptions): Transport {
  const { url, token, maxBytes = 4 * 1024 * 1024, connections = 128, ca } = options;
  if (isReadableOnTheWay(url)) throw new TypeError("the transport needs https: for every host but this machine");
  const { origin, pathname, search } = new URL(url);
  // The whole call has a limit of its own; undici's would cut long polls.
  const pool = new Pool(origin, {
    connections,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 5_000, ...(ca && { ca }) },
  });

  return {
    send: async (message, sending) => {
      const { signal, timeoutMs, session, correlationId } = sending;
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const response = await pool.request({
          method: "POST",
          path: pathname + search,
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            "x-correlation-id": correlationId,
            "x-session-id": session,
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          body: message,
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        });
        return await readAnswer(response, maxBytes);
      } catch (error) {
        throw sendFailure(error, sending, limit);
      }
    },
    close: () => pool.destroy(),
  };
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Uint8Array> {
  const isJson = /^application\/json\s*(;|$)/i.test(String(headers["content-type"] ?? ""));
  const readable = isJson && (statusCode === 200 || statusCode >= 400);
  if (!readable) {
    // Reads a little, so that the connection can be kept; more is not worth it.
    await body.dump({ limit: 65_536 });
    throw statusError(statusCode, isJson);
  }
  const bytes = await readBody(body, maxBytes);
  if (bytes === "too_large")
    throw new LinkError("invalid_response", `the answer is larger than ${maxBytes} bytes`, { httpStatus: statusCode });
  if (statusCode >= 400 && !isErrorAnswer(bytes)) throw statusError(statusCode, isJson);
  return bytes;
}

/** What a status says that comes without a JSON-RPC answer: from a proxy, or from something else altogether. */
function statusError(httpStatus: number, isJson: boolean): LinkError {
  if (httpStatus === 502 || httpStatus === 503)
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
