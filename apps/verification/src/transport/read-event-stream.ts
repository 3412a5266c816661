import { parse } from "@crosszone/jsonrpc";
import { createParser } from "eventsource-parser";

export interface EventStreamOptions {
  /** Largest event, in characters. */
  readonly maxSize: number;
  /** Gets each message that is no response. */
  readonly onNotification?: ((message: Uint8Array) => void) | undefined;
}

/**
 * Reads server-sent events whose data are JSON-RPC messages, and gives the last response; nothing when there is none.
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
  // Not fatal: an event that is broken is refused as the answer that it would have been, by whoever reads that.
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (tooLarge) return "too_large";
  }
  return answer;
}
