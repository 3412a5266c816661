import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { createParser } from "eventsource-parser";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { StreamNeed } from "./agent-client.ts";

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", promisify(gunzip) as Decompress],
  ["x-gzip", promisify(gunzip) as Decompress],
  ["deflate", promisify(inflate) as Decompress],
  ["br", promisify(brotliDecompress) as Decompress],
]);

/**
 * Decodes a body's content coding. The request asks for none, but some servers compress anyway. The result is never
 * larger than `maxBytes`, however small the body. Throws an `AgentFailure`.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
export async function decodeBody(
  body: Uint8Array,
  { coding, maxBytes, who }: { readonly coding: string | undefined; readonly maxBytes: number; readonly who: string },
): Promise<Uint8Array> {
  const name = coding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity" || body.length === 0) return body;
  const decompress = decompressors.get(name);
  if (decompress === undefined)
    throw new AgentFailure("not_json", `${who} sent its answer in an unsupported content coding. Send it without one.`);
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(who, maxBytes);
    throw new AgentFailure("not_json", `${who} sent an answer that is declared as ${name}, but isn't.`, { cause });
  }
}

export function tooLarge(who: string, maxBytes: number): AgentFailure {
  return new AgentFailure("response_too_large", `${who} sent an answer larger than ${maxBytes} bytes.`);
}

interface EventSinkOptions {
  /** Called with the data of each event. */
  readonly onEvent: (data: Uint8Array) => StreamNeed;
  /** Largest event, bytes. */
  readonly maxBytes: number;
  /** The first words of failure messages. */
  readonly who: string;
}

/** Limit of a whole stream, as a multiple of the largest event. An agent may resend its whole artifact with each word. */
const mostOfAll = 16;

/**
 * Returns a function that parses the pieces of a `text/event-stream`, and without a piece its end: the last event counts without the blank
 * line that the standard asks for. The function throws an `AgentFailure` `response_too_large`, and any error of `onEvent`.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function createEventSink({ onEvent, maxBytes, who }: EventSinkOptions): (piece?: Uint8Array) => StreamNeed {
  const decoder = new TextDecoder();
  let need: StreamNeed = "more";
  let bytes = 0;
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent: ({ data }) => {
      const event = Buffer.from(data);
      if (event.byteLength > maxBytes) throw tooLarge(who, maxBytes);
      if (need !== "nothing") need = onEvent(event);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw tooLarge(who, maxBytes);
    },
  });
  return (piece) => {
    bytes += piece?.byteLength ?? 0;
    if (bytes > mostOfAll * maxBytes) throw tooLarge(who, mostOfAll * maxBytes);
    parser.feed(piece === undefined ? "\n\n" : decoder.decode(piece, { stream: true }));
    return need;
  };
}
