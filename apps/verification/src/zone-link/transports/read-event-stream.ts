import { parse } from "@crosszone/jsonrpc";
import { createParser } from "eventsource-parser";

export interface EventStreamOptions {
  /** Maximum size of an event, characters. */
  readonly maxSize: number;
  /** Called with each message that is not a response. */
  readonly onNotification?: (message: Uint8Array) => void;
}

/**
 * Reads server-sent events that contain JSON-RPC messages. Resolves with the last response; undefined without one.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function readEventStream(
  body: AsyncIterable<Uint8Array>,
  { maxSize, onNotification }: EventStreamOptions,
): Promise<Uint8Array | "too_large" | undefined> {
  let answer: Uint8Array | undefined;
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxSize,
    onEvent: ({ data }) => {
      const message = Buffer.from(data);
      if (data.length > maxSize) tooLarge = true;
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
