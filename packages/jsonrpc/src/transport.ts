import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import { errorToJson, LinkError } from "./error-json.ts";
import { encodeUtf8 } from "./parse.ts";

/** What both sides know of a message. */
interface MessageOptions {
  /** The same for every request of one task, so that a platform with session routing reaches the process that has the task. */
  readonly session: string;
  readonly correlationId: string;
  /** The parent span of this message. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
}

export interface SendOptions extends MessageOptions {
  /** Aborts the send, which rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /** Timeout of the whole response, milliseconds; then the send rejects with `timeout`. */
  readonly timeoutMs: number;
  /** Receives each message that the server streams before its response. */
  readonly onNotification?: (message: Uint8Array) => void;
}

/** Transfers bytes between zones, whatever their content. */
export interface Transport {
  /**
   * Sends one message and returns its response. Rejects with a `LinkError` only: `unreachable`, `timeout`, `aborted`, or
   * `invalid_response`. Never sends a message twice, with one exception: a message that a platform or an outdated proof refused before
   * processing may be repeated within `timeoutMs`, and the final failure is then not retryable.
   */
  send(message: Uint8Array, options: SendOptions): Promise<Uint8Array>;
  /** Releases the transport's resources. Later sends reject with `unreachable`. */
  close(): Promise<void>;
}

/** The server side: takes a message, returns the response as text or bytes, or undefined. A dispatcher with a bound context fits. */
export type HandleMessage = (
  message: Uint8Array,
  options: MessageOptions & {
    readonly signal: AbortSignal;
    /** Sends a notification before the response; absent when the caller does not listen. */
    readonly notify?: (message: string) => Promise<void>;
  },
) => Promise<string | Uint8Array | undefined>;

/**
 * Runs both sides in one process through the full codec, always with copies. `signal` aborts when the caller no longer waits. A missing
 * response, or a handler that throws, is `invalid_response`.
 */
export function createInProcessTransport(handle: HandleMessage): Transport {
  let closed = false;
  return {
    send: async (message, options) => {
      if (closed) throw new LinkError("unreachable", "the transport is closed");
      const answer = await withDeadline(options, async (signal) => {
        const { correlationId, session, traceparent, onNotification } = options;
        const notify = onNotification && (async (text: string) => onNotification(encodeUtf8(text)));
        return handle(message.slice(), { correlationId, session, traceparent, signal, notify });
      });
      if (answer === undefined) throw new LinkError("invalid_response", "the server gave no answer");
      return typeof answer === "string" ? encodeUtf8(answer) : answer.slice();
    },
    close: async () => {
      closed = true;
    },
  };
}

function withDeadline<T>({ signal, timeoutMs }: SendOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (error: LinkError): void => {
      reject(error);
      controller.abort(error);
    };
    const abort = (): void => stop(new LinkError("aborted", "the call was aborted", { cause: signal?.reason }));
    if (signal?.aborted) return abort();
    const timer = setTimeout(() => stop(new LinkError("timeout", `no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    work(controller.signal)
      .then(resolve, (cause: unknown) =>
        reject(new LinkError("invalid_response", "the server failed to answer", { cause })),
      )
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      });
  });
}

/** A thrown error and its wire form. */
export interface Failure {
  readonly error: unknown;
  readonly kind: ErrorKind;
  readonly code: number;
  /** The error object as JSON. */
  readonly json: string;
}

/**
 * Returns a response with a result. Throws a `TypeError` for a value that JSON can't represent: undefined, a function, a BigInt, a cycle.
 */
export function successText(result: unknown, idText: string): string {
  const json = JSON.stringify(result) as string | undefined;
  if (json === undefined) throw new TypeError("the result is not a JSON value");
  return `{"jsonrpc":"2.0","result":${json},"id":${idText}}`;
}

/** Returns a response with an error. */
export function failureText({ json }: Failure, idText: string): string {
  return `{"jsonrpc":"2.0","error":${json},"id":${idText}}`;
}

/** Converts a thrown value to a failure. If its data is not JSON, returns that failure instead. */
export function toFailure(error: unknown, correlationId: string): Failure {
  try {
    return write(error, correlationId);
  } catch (unwritable) {
    return write(unwritable, correlationId);
  }
}

function write(error: unknown, correlationId: string): Failure {
  const object = errorToJson(error, correlationId);
  const kind = error instanceof ZoneError ? error.kind : "internal";
  return { error, kind, code: object.code, json: JSON.stringify(object) };
}

/** Returns a notification. JSON-RPC 2.0, section 4.1. Throws a `TypeError` for params that JSON can't represent. */
export function notificationText(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}
