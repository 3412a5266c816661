import { createParser, type EventSourceMessage } from "eventsource-parser";
import { findError } from "./provider-error.ts";
import type { WireReader } from "./wire-readers.ts";

/** The longest answer that is no stream, characters. */
const longestWhole = 10_000_000;

/** Shows that the server is alive, on every wire. */
const ping = { type: "ping" };

/** How long a server may still send token counts after the model has stopped, milliseconds. */
const lateMs = 2_000;

/**
 * Returns the `fetch` of a provider's package. The packages read a strict stream of events; servers send more than that:
 * pings, a last event without its blank line, a whole answer instead of a stream, errors in many forms.
 */
export function modelFetch(newReader: () => WireReader): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const { ok, status, headers, body } = response;
    if (!ok || body === null) return response;
    return new Response(ReadableStream.from(readBody(body, newReader())), { status, headers });
  };
}

async function* readBody(body: ReadableStream<Uint8Array>, reader: WireReader): AsyncGenerator<Uint8Array> {
  let waiting = "";
  let [isDone, isWhole, broken] = [false, undefined as boolean | undefined, undefined as unknown];
  const send = (data: string): void => void (waiting += `data: ${data}\n\n`);
  const read = (value: unknown): void => reader.read(value).forEach((event) => send(JSON.stringify(event)));
  const onEvent = ({ data, event }: Pick<EventSourceMessage, "data" | "event">): void => {
    isDone ||= data.trim() === "[DONE]";
    if (isDone) return;
    const value = parse(data);
    if (event === "error" && !findError(value)) read({ error: value ?? data });
    // Half an event must break the answer.
    else if (value === undefined && data.includes("{")) send("{");
    else read(value ?? ping);
  };
  const parser = createParser({ onEvent, onComment: () => read(ping) });
  // llama.cpp sends errors as a field of their own. The parser drops unknown fields.
  const feed = (lines: string): void => parser.feed(lines.replaceAll(/^error:/gm, "event: error\ndata:"));
  const decoder = new TextDecoder();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let rest = "";
  try {
    for await (const piece of body.pipeThrough(new TransformStream(), { signal: late.signal })) {
      rest += decoder.decode(piece, { stream: true });
      isWhole ??= rest.trim() === "" ? undefined : /^\s*[[{]/.test(rest);
      const end = isWhole === false ? Math.max(rest.lastIndexOf("\n"), rest.lastIndexOf("\r")) + 1 : 0;
      feed(rest.slice(0, end));
      rest = rest.slice(end);
      if (rest.length > longestWhole) throw new Error("the answer is too long");
      yield Buffer.from(waiting);
      waiting = "";
      if (isDone) break;
      if (reader.isFinished()) timer ??= setTimeout(() => late.abort(), lateMs).unref();
    }
  } catch (error) {
    broken = error;
  }
  if (isWhole !== true) feed(`${rest}\n\n`);
  else for (const data of parse(rest) === undefined ? rest.split("\n") : [rest]) onEvent({ data });
  if (broken !== undefined && !reader.isFinished()) throw broken;
  for (const event of reader.end(isDone || isWhole === true)) send(JSON.stringify(event));
  yield Buffer.from(waiting);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
}
