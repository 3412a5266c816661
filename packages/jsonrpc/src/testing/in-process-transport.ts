import { LinkError } from "../error-json.ts";
import { encodeUtf8 } from "../parse.ts";
import type { HandleMessage, SendOptions, Transport } from "../transport.ts";

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
