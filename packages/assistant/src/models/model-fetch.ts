import { gatherBytes } from "@crosszone/service-kit";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { createParser } from "eventsource-parser";
import { findError, membersOf } from "./provider-error.ts";
import { parseEvent, ping, type WireReader } from "./wire-blocks.ts";

/** How events are written on a wire: as text, or in binary frames. */
interface EventFormat {
  /** Reads bytes of a body. Throws when it is too long. */
  feed(bytes: Uint8Array): void;
  /** Reads what is left at the end of the body. */
  finish(): void;
  /** `done`: the server said that the stream ends. `whole`: it sent a whole answer instead of one. `broken`: nothing more can be read. */
  state(): "open" | "done" | "whole" | "broken";
  write(event: object): Uint8Array;
}

/** Receives what a format reads. */
interface Listener {
  readonly onValue: (value: unknown) => void;
  /** Half an event breaks the answer. `half`: what the provider's package can't read either. */
  readonly onHalf: (half: Uint8Array) => void;
}

/** The longest answer that is no stream, characters. */
const longestWhole = 10_000_000;

/** Reads server-sent events, a whole answer, or lines of JSON. */
function createTextFormat({ onValue, onHalf }: Listener): EventFormat {
  const decoder = new TextDecoder();
  let [rest, isDone, isWhole] = ["", false, undefined as boolean | undefined];
  const onEvent = ({ data, event }: { readonly data: string; readonly event?: string }): void => {
    isDone ||= data.trim() === "[DONE]";
    if (isDone) return;
    const value = parseEvent(data);
    if (event === "error" && !findError(value)) onValue({ error: value ?? data });
    else if (value === undefined && data.includes("{")) onHalf(Buffer.from("data: {\n\n"));
    else onValue(value ?? ping);
  };
  const parser = createParser({ onEvent, onComment: () => onValue(ping) });
  // llama.cpp sends errors as a field of their own. The parser drops unknown fields.
  const parse = (lines: string): void => parser.feed(lines.replaceAll(/^error:/gm, "event: error\ndata:"));
  return {
    feed: (bytes) => {
      const piece = decoder.decode(bytes, { stream: true });
      // What came before is blank, or has no end of a line: read again for each piece, a long line would take quadratic time.
      isWhole ??= piece.trim() === "" ? undefined : /^\s*[[{]/.test(piece);
      const end = isWhole === false ? Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf("\r")) + 1 : 0;
      if (end > 0) parse(rest + piece.slice(0, end));
      rest = end > 0 ? piece.slice(end) : rest + piece;
      if (rest.length > longestWhole) throw new Error("the answer is too long");
    },
    finish: () => {
      if (isWhole !== true) return parse(`${rest}\n\n`);
      for (const data of parseEvent(rest) === undefined ? rest.split("\n") : [rest]) onEvent({ data });
    },
    state: () => (isDone ? "done" : isWhole === true ? "whole" : "open"),
    write: (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`),
  };
}

/** The bytes of a frame's length, those that tell it from JSON, and a frame without its end. */
const [lengthBytes, startBytes, halfFrame] = [4, 8, Buffer.from([0, 0, 0, 255])];

/** Reads frames of AWS, or a whole answer. https://smithy.io/2.0/aws/amazon-eventstream.html */
export function createFrameFormat({ onValue, onHalf }: Listener): EventFormat {
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );
  let pieces = gatherBytes();
  /** How many bytes are needed before anything can be read: the first characters of JSON, or a frame. */
  let needed = 0;
  let state: "open" | "whole" | "broken" = "open";
  const readFrame = (frame: Uint8Array): void => {
    const { headers, body } = codec.decode(frame);
    const header = (name: string): string => String(headers[name]?.value ?? "");
    const text = Buffer.from(body).toString();
    const failed = header(":exception-type") || header(":error-code");
    const type = failed === "" ? header(":event-type") : failed.replace(/(?:exception)?$/i, "Exception");
    const value =
      parseEvent(text) ?? (failed === "" ? JSON.parse(text) : { message: text || header(":error-message") });
    onValue({ [type]: value });
  };
  return {
    feed: (bytes) => {
      const size = pieces.add(bytes);
      if (size > longestWhole + bytes.byteLength) throw new Error("the answer is too long");
      if (size < needed) return;
      let rest = pieces.whole();
      // As the length of a frame, the first characters of JSON would be many megabytes.
      if (state === "open" && /^\s*[[{]/.test(rest.toString("latin1", 0, 8))) state = "whole";
      while (state === "open" && rest.length >= lengthBytes && rest.length >= rest.readUInt32BE()) {
        const length = rest.readUInt32BE();
        try {
          readFrame(rest.subarray(0, length));
        } catch {
          state = "broken";
          onHalf(halfFrame);
        }
        rest = rest.subarray(length);
      }
      if (rest.length > longestWhole) throw new Error("the answer is too long");
      needed = state === "open" ? (rest.length < startBytes ? 0 : rest.readUInt32BE()) : Infinity;
      pieces = gatherBytes();
      pieces.add(rest);
    },
    finish: () => {
      const rest = pieces.whole();
      const whole = state === "whole" ? parseEvent(rest.toString()) : undefined;
      if (whole !== undefined) onValue(whole);
      else if (state !== "broken" && rest.length > 0) onHalf(halfFrame);
    },
    state: () => state,
    write: (event) => {
      const [[type, body] = ["ping", {}]] = Object.entries("type" in event ? {} : event) as [string, object][];
      const kind = type.endsWith("Exception") ? "exception" : "event";
      const header = (value: string) => ({ type: "string" as const, value });
      const headers = { ":message-type": header(kind), [`:${kind}-type`]: header(type) };
      return codec.encode({ headers, body: Buffer.from(JSON.stringify(body)) });
    },
  };
}

/** How long a server may still send token counts after the model has stopped, milliseconds. */
const lateMs = 2_000;

/** Returns the pieces of a body, until they are cut. The body is locked at once: Node cancels an unread one whose response is garbage. */
function cutPieces(body: ReadableStream<Uint8Array>) {
  const late = new AbortController();
  return { pieces: body.pipeThrough(new TransformStream(), { signal: late.signal }), cut: () => late.abort() };
}

async function* readBody(
  { pieces, cut }: ReturnType<typeof cutPieces>,
  reader: WireReader,
  createFormat: (listener: Listener) => EventFormat,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  const format = createFormat({
    onValue: (value) => waiting.push(...reader.read(value).map((event) => format.write(event))),
    onHalf: (half) => reader.isFinished() || waiting.push(half),
  });
  let timer: NodeJS.Timeout | undefined;
  let broken: unknown;
  try {
    for await (const piece of pieces) {
      format.feed(piece);
      yield Buffer.concat(waiting.splice(0));
      if (reader.isOver() || /done|broken/.test(format.state())) break;
      if (reader.isFinished()) timer ??= setTimeout(cut, lateMs).unref();
    }
  } catch (error) {
    broken = error;
  }
  clearTimeout(timer);
  format.finish();
  if (broken !== undefined && !reader.isFinished()) throw broken;
  const isDone = /done|whole/.test(format.state());
  yield Buffer.concat([...waiting, ...reader.end(isDone).map((event) => format.write(event))]);
}

/** How a model is asked over HTTP. */
interface ModelRequests {
  /** The query of the base URL, without its question mark. It follows the path of each request. */
  readonly query: string;
  /** The parameters that the model refused by name. */
  readonly refused: ReadonlySet<string>;
  readonly createFormat?: typeof createTextFormat;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Returns the `fetch` of a provider's package. The packages read a strict stream of events; servers send more than that:
 * pings, a last event without its blank line, a whole answer instead of a stream, errors in many forms.
 */
export function modelFetch(newReader: () => WireReader, requests: ModelRequests): typeof globalThis.fetch {
  const { query, refused, createFormat = createTextFormat } = requests;
  return async (input, init) => {
    const { fetch = globalThis.fetch } = requests;
    // The packages pass texts.
    const url = query === "" ? input : `${input as string}?${query}`;
    const response = await fetch(url, refused.has("stream") ? withoutStream(init) : init);
    const { ok, status, headers, body } = response;
    if (!ok || body === null) return response;
    const events = readBody(cutPieces(body), newReader(), createFormat);
    return new Response(ReadableStream.from(events), { status, headers });
  };
}

function withoutStream(init: RequestInit = {}): RequestInit {
  const { stream: _stream, stream_options: _options, ...asked } = membersOf(parseEvent(init.body as string));
  return { ...init, body: JSON.stringify(asked) };
}
