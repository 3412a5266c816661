import type { BadRequest } from "@crosszone/service-kit";
import type { RefusedRequest } from "./refuse.ts";

/** Receives events of HTTP, for logs and metrics. */
export interface HttpObserver {
  readonly refused: (request: RefusedRequest) => void;
  /** HTTP was invalid or too slow, and never became a request. */
  readonly badRequest: (error: BadRequest) => void;
  /** A route failed. */
  readonly failed: (error: unknown, requestId: string) => void;
}

/** Ignores every event. For servers that neither log nor measure, such as those of tests. */
export const silentHttpObserver: HttpObserver = {
  refused: () => undefined,
  badRequest: () => undefined,
  failed: () => undefined,
};
