import { gatherBytes } from "@crosszone/service-kit";
import type { Dispatcher } from "undici";

export interface DispatchedRequest {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly signal: AbortSignal;
  /** Told of the status and the headers before the body is read; what it throws ends the exchange. */
  readonly onHead: (head: AnswerHead) => void;
  /** Told of each piece of the body with the bytes so far; what it throws ends the exchange. */
  readonly onPiece: (bytes: number) => void;
}

export interface AnswerHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Dispatcher.ResponseData["headers"];
}

export type Answer = AnswerHead & { readonly body: Uint8Array };

/**
 * Sends a request, and gathers its answer as it comes. Nothing of a stream is made: for answers that are small and wanted as a whole that
 * is half of what a request costs. What is ended early takes its connection with it.
 */
export function dispatchRequest({ dispatcher, request, signal, onHead, onPiece }: DispatchedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = gatherBytes();
    let head: AnswerHead | undefined;
    const orEnd = (controller: Dispatcher.DispatchController, look: () => void): void => {
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
        // "Continue" and the like come before the answer.
        if (status < 200) return;
        const found = { status, headers };
        head = found;
        orEnd(controller, () => onHead(found));
      },
      onResponseData: (controller, piece) => orEnd(controller, () => onPiece(bytes.add(piece))),
      onResponseEnd: () => {
        if (head !== undefined) resolve({ ...head, body: bytes.whole() });
      },
      onResponseError: (_, error) => reject(error),
    });
  });
}
