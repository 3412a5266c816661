import type { ErrorKind } from "@crosszone/contracts";
import type { BadRequest } from "@crosszone/service-kit";
import type { RefusalReason } from "./refuse.ts";

/** A request that HTTP refused before JSON-RPC saw it. */
export interface RefusedRequest {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly reason: RefusalReason;
  readonly correlationId: string;
  /** The HTTP request's id in logs. */
  readonly requestId: string;
  /** The error in this zone, when the caller is not at fault. */
  readonly cause?: unknown;
}

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
