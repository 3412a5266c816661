import { gatherBytes } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";

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
