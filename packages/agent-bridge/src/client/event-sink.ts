import { createParser } from "eventsource-parser";
import { tooLarge } from "./decode-body.ts";

export interface EventSinkOptions {
  /** Called with the data of each event. Return true to end the stream. */
  readonly onEvent: (data: Uint8Array) => boolean;
  /** Largest event, bytes. */
  readonly maxBytes: number;
  /** The first words of failure messages. */
  readonly who: string;
}

/** Limit of a whole stream, as a multiple of the largest event. An agent may resend its whole artifact with each word. */
const mostOfAll = 16;

/**
 * Returns a function that parses the pieces of a `text/event-stream`, and returns true to end the stream. The function throws an
 * `AgentFailure` `response_too_large`, and any error of `onEvent`.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function createEventSink({ onEvent, maxBytes, who }: EventSinkOptions): (piece: Uint8Array) => boolean {
  const decoder = new TextDecoder();
  let isDone = false;
  let bytes = 0;
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent: ({ data }) => {
      const event = Buffer.from(data);
      if (event.byteLength > maxBytes) throw tooLarge(who, maxBytes);
      isDone ||= onEvent(event);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw tooLarge(who, maxBytes);
    },
  });
  return (piece) => {
    bytes += piece.byteLength;
    if (bytes > mostOfAll * maxBytes) throw tooLarge(who, mostOfAll * maxBytes);
    parser.feed(decoder.decode(piece, { stream: true }));
    return isDone;
  };
}
