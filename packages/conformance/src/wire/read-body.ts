import { createParser } from "eventsource-parser";
import { asJson } from "./json.ts";

/** One event of a stream. */
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

interface ReadOptions {
  /** When the request was sent, of `performance.now()`. */
  readonly startedAt: number;
  readonly onEvent: (event: StreamedEvent) => void;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/**
 * Reads a response into `into`, event by event when it is a stream. Throws when it breaks off, is larger than 8 MiB, or the signal ends the
 * reading.
 */
export async function readBody(response: Response, into: ReadSoFar, options: ReadOptions): Promise<void> {
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
