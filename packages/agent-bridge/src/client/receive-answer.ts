import { gatherBytes } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";
import type { AgentRequest } from "./agent-client.ts";
import { createEventSink, decodeBody, tooLarge } from "./read-body.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

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

export interface AnswerOptions extends Pick<AgentRequest, "signal" | "onEvent" | "onOpen" | "held"> {
  /** Largest answer, bytes, both compressed and decompressed. */
  readonly maxBytes: number;
  /** The first words of failure messages. */
  readonly who: string;
}

/** An answer up to this size is received at once, bytes. */
const smallBytes = 256_000;

/**
 * Receives one answer, which undici gives to `handler`, whatever the status, except that a redirect is refused. Uses no streams: for small answers they are half of a
 * request's cost. An answer that ends early closes its connection.
 */
export function receiveAnswer({ signal, maxBytes, who, onEvent, onOpen, held }: AnswerOptions): {
  readonly handler: Dispatcher.DispatchHandler;
  readonly reply: Promise<AgentReply>;
} {
  const bytes = gatherBytes();
  const { promise, resolve, reject } = Promise.withResolvers<AgentReply>();
  let head: AgentReply | undefined;
  let sink: ((piece: Uint8Array) => boolean) | undefined;
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
    if (head !== undefined) resolve({ ...head, body: bytes.whole() });
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
    if (reply.status >= 300 && reply.status < 400) throw redirected(who, reply.status);
    if (Number(reply.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(who, maxBytes);
    if (onEvent === undefined || !isEventStream(reply)) return;
    onOpen?.();
    sink = createEventSink({ onEvent, maxBytes, who });
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
        if (sink?.(piece) !== true) return;
        end();
        throw new Error("the caller ended the stream");
      }),
    onResponseEnd: end,
    onResponseError: (_, error) => reject(error),
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

function redirected(who: string, code: number): AgentFailure {
  return new AgentFailure(
    "redirect_refused",
    `${who} answered with a redirect (HTTP ${code}), which is not followed. Register the address that it points to.`,
    { code },
  );
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
