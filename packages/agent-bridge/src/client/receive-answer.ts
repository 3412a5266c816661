import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { gatherBytes } from "@crosszone/service-kit";
import { createParser } from "eventsource-parser";
import type { Dispatcher } from "undici";
import { AgentFailure, type AgentReply } from "../protocol/protocol-adapter.ts";
import type { AgentRequest, StreamNeed } from "./agent-client.ts";

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
async function decodeBody(
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

/** Limit of a whole stream, as a multiple of the largest event. An agent may resend its whole artifact with each word. */
const mostOfAll = 16;

/**
 * Returns a function that parses the pieces of a `text/event-stream`, and without a piece its end: the last event counts without the blank
 * line that the standard asks for. The function throws an `AgentFailure` `response_too_large`, and any error of `onEvent`.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
function createEventSink(
  onEvent: (data: Uint8Array) => StreamNeed,
  { maxBytes, who }: AnswerOptions,
): (piece?: Uint8Array) => StreamNeed {
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

/** Returns a request for undici: a POST of the body, or a GET without one. Header names are in lower case. */
export function httpRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: body === undefined ? "GET" : "POST",
    headers: { ...printable(headers), "accept-encoding": "identity" },
    body,
  };
}

interface AnswerOptions {
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly onEvent?: AgentRequest["onEvent"];
  readonly onOpen?: AgentRequest["onOpen"];
  /** Called when bytes of a stream of events arrive, which may be a comment only. */
  readonly onAlive?: () => void;
  readonly held?: AgentRequest["held"];
  /** Largest answer, bytes, both compressed and decompressed. */
  readonly maxBytes: number;
  /** The first words of failure messages. */
  readonly who: string;
}

/** An answer up to this size is received at once, bytes. */
const smallBytes = 256_000;

/** How long the rest of a stream has to arrive, milliseconds. A server that leaves its stream open delays each answer by it. */
const restMs = 500;

/**
 * Receives one answer, which undici gives to `handler`, whatever the status, except that a redirect is refused. Uses no streams: for small answers they are half of a
 * request's cost. An answer that ends early closes its connection.
 */
export function receiveAnswer(options: AnswerOptions) {
  const { url, signal, maxBytes, who, onEvent, onOpen, onAlive, held } = options;
  const bytes = gatherBytes();
  const { promise, resolve, reject } = Promise.withResolvers<AgentReply>();
  let head: AgentReply | undefined;
  let sink: ReturnType<typeof createEventSink> | undefined;
  let rest: NodeJS.Timeout | undefined;
  let isOver = false;
  let received = 0;
  const waitForRoom = (controller: Dispatcher.DispatchController, piece: Uint8Array): void => {
    const before = received;
    received += piece.byteLength;
    if (held === undefined || before > smallBytes || received <= smallBytes) return;
    controller.pause();
    const length = Number(head?.headers["content-length"] ?? 0) || maxBytes;
    void held.take(length).then((hasRoom) => hasRoom && controller.resume());
  };
  const end = (): void => {
    isOver = true;
    if (head !== undefined) resolve({ ...head, body: bytes.whole() });
  };
  const leave = (controller: Dispatcher.DispatchController): void => {
    end();
    controller.abort(new Error("the caller ended the stream"));
  };
  const finish = (error?: Error): void => {
    clearTimeout(rest);
    try {
      if (!isOver && !(error instanceof AgentFailure)) sink?.();
    } catch (cut) {
      error ??= cut as Error;
    }
    if (error === undefined) end();
    else reject(error);
  };
  const orEnd = (controller: Dispatcher.DispatchController, look: () => void): void => {
    try {
      look();
    } catch (refusal) {
      controller.abort(refusal as Error);
    }
  };
  const begin = (reply: AgentReply): void => {
    head = reply;
    if (reply.status >= 300 && reply.status < 400) throw redirected(who, url, reply);
    if (Number(reply.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(who, maxBytes);
    if (onEvent === undefined || !isEventStream(reply)) return;
    onOpen?.();
    sink = createEventSink(onEvent, options);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      const abort = (): void => controller.abort(signal.reason as Error);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    },
    onResponseStart: (controller, status, headers) => {
      // Informational responses such as "Continue" precede the answer.
      if (status >= 200) orEnd(controller, () => begin({ status, headers: joined(headers), body: new Uint8Array() }));
    },
    onResponseData: (controller, piece) =>
      orEnd(controller, () => {
        if (sink === undefined && bytes.add(piece) > maxBytes) throw tooLarge(who, maxBytes);
        waitForRoom(controller, piece);
        if (sink !== undefined) onAlive?.();
        const need = isOver ? undefined : sink?.(piece);
        if (need === "nothing") return leave(controller);
        if (need === "rest") return void (rest ??= setTimeout(() => leave(controller), restMs));
        clearTimeout(rest);
        rest = undefined;
      }),
    onResponseEnd: () => finish(),
    onResponseError: (_, error) => finish(error),
  };
  const decoded = async (reply: AgentReply): Promise<AgentReply> => {
    const coding = reply.headers["content-encoding"];
    return { ...reply, body: await decodeBody(reply.body, { coding, maxBytes, who }) };
  };
  return { handler, reply: promise.then(decoded) };
}

/** Returns whether a response is a success with server-sent events and without a content coding. */
export function isEventStream({ status, headers }: AgentReply): boolean {
  const { "content-type": type = "", "content-encoding": coding = "identity" } = headers;
  return status < 300 && /^text\/event-stream\s*(;|$)/i.test(type) && coding.toLowerCase() === "identity";
}

function redirected(who: string, url: URL, { status: code, headers }: AgentReply): AgentFailure {
  const to = describeTarget(url, URL.parse(headers["location"] ?? "", url));
  return new AgentFailure(
    "redirect_refused",
    `${who} answered with a redirect (HTTP ${code}) to ${to}, which is not followed. Correct the URL where it is written: in the registration or in the agent's card.`,
    { code },
  );
}

/** Describes where a redirect points to by its difference to the URL that was called: the agent chose it, and a path may contain a key. */
function describeTarget(url: URL, target: URL | null): string {
  if (target?.host !== url.host) return target === null ? "no valid URL" : "another host";
  if (target.protocol !== url.protocol) return `the same host with ${target.protocol}`;
  if (target.pathname === `${url.pathname}/`) return "the same URL with a slash at its end";
  return target.pathname === url.pathname ? "the same URL" : "another path of the same host";
}

/**
 * Ids from outside can have any characters; those invalid in a header are percent-encoded.
 * https://www.rfc-editor.org/rfc/rfc9110#section-5.5
 */
function printable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value.toWellFormed().replaceAll(/[^\t\x20-\x7e]+/gu, (found) => encodeURIComponent(found)),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

const joined = (headers: Dispatcher.ResponseData["headers"]): AgentReply["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
