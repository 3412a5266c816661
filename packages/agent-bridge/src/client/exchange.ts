import { gatherBytes } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";
import { createEventSink, decodeBody, tooLarge } from "./read-body.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Largest answer, bytes, both compressed and decompressed. */
  readonly maxBytes: number;
  /** The first words of failure messages. */
  readonly who: string;
  /** Called with the data of each event of a `text/event-stream`. Return true to end the stream. The body of such a response is empty. */
  readonly onEvent?: (data: Uint8Array) => boolean;
  /** Called when such a response has begun. */
  readonly onOpen?: () => void;
}

/** Sends one request and returns its response, whatever the status, except that a redirect is refused. */
export async function exchange(options: ExchangeOptions): Promise<AgentReply> {
  const { dispatcher, method, url, body, signal, maxBytes, who, onEvent } = options;
  const answer = await dispatchRequest({
    dispatcher,
    signal,
    request: {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...printable(options.headers), "accept-encoding": "identity" },
      body,
    },
    onHead: ({ status, headers }) => {
      if (status >= 300 && status < 400) throw redirected(who, status);
      if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(who, maxBytes);
      const isRead = onEvent !== undefined && isEventStream({ status, headers: joined(headers) });
      if (!isRead) return undefined;
      options.onOpen?.();
      return createEventSink({ onEvent, maxBytes, who });
    },
    onPiece: (bytes) => {
      if (bytes > maxBytes) throw tooLarge(who, maxBytes);
    },
  });
  const headers = joined(answer.headers);
  const coding = headers["content-encoding"];
  return { status: answer.status, headers, body: await decodeBody(answer.body, { coding, maxBytes, who }) };
}

/** Returns whether a response is a success with server-sent events and without a content coding. */
export function isEventStream({ status, headers }: Pick<AgentReply, "status" | "headers">): boolean {
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

export interface DispatchedRequest {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly signal: AbortSignal;
  /**
   * Called with the status and the headers before the body is read. An error that it throws ends the exchange. It can return a sink that
   * gets the pieces of the body instead; the sink returns true to end the exchange.
   */
  readonly onHead: (head: AnswerHead) => ((piece: Uint8Array) => boolean) | undefined;
  /** Called for each piece of the body with the bytes so far. An error that it throws ends the exchange. */
  readonly onPiece: (bytes: number) => void;
}

export interface AnswerHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Dispatcher.ResponseData["headers"];
}

export type Answer = AnswerHead & { readonly body: Uint8Array };

/**
 * Sends a request and collects its answer. Uses no streams: for small answers they are half of a request's cost. Ending
 * it early closes its connection.
 */
export function dispatchRequest({ dispatcher, request, signal, onHead, onPiece }: DispatchedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = gatherBytes();
    let head: AnswerHead | undefined;
    let sink: ((piece: Uint8Array) => boolean) | undefined;
    const end = (): void => {
      if (head !== undefined) resolve({ ...head, body: bytes.whole() });
    };
    const orEnd = (controller: Dispatcher.DispatchController, look: () => unknown): void => {
      try {
        look();
      } catch (refusal) {
        controller.abort(refusal as Error);
      }
    };
    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        const abort = (): void => controller.abort(signal.reason as Error);
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
      },
      onResponseStart: (controller, status, headers) => {
        // Informational responses such as "Continue" precede the answer.
        if (status < 200) return;
        const found = { status, headers };
        head = found;
        orEnd(controller, () => (sink = onHead(found)));
      },
      onResponseData: (controller, piece) =>
        orEnd(controller, () => {
          if (sink === undefined) return onPiece(bytes.add(piece));
          if (!sink(piece)) return undefined;
          end();
          throw new Error("the caller ended the stream");
        }),
      onResponseEnd: end,
      onResponseError: (_, error) => reject(error),
    });
  });
}
