import { LinkError, parse, type SendOptions } from "@crosszone/jsonrpc";
import { readAtMost } from "@crosszone/service-kit";
import { createParser } from "eventsource-parser";

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
    throw new LinkError("unreachable", "the connection failed", { cause: error });
  }
}

/** Returns the `accept` header: a caller without a listener for notifications gets no event stream. */
export function acceptOf({ onNotification }: SendOptions): string {
  return onNotification === undefined ? "application/json" : "application/json, text/event-stream";
}

export interface Reading {
  readonly isStream: boolean;
  /** Maximum size of the answer, bytes; of an event in a stream, characters. */
  readonly maxBytes: number;
  /** Called with each message of a stream that is not a response. */
  readonly onNotification: SendOptions["onNotification"];
  readonly httpStatus: number | undefined;
}

/** Reads an answer, or the last response in an event stream. Throws a `LinkError` if there is none or it is too large. */
export async function readAnswer(body: AsyncIterable<Uint8Array>, reading: Reading): Promise<Uint8Array> {
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
