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

/** Receives events of the admin API, for logs. */
export interface ApiObserver {
  /** An agent was created, changed or deleted. `agent` is absent when it was deleted. */
  readonly agentChanged: (change: {
    readonly actor: string;
    readonly correlationId: string;
    readonly name: string;
    readonly agent?: { readonly revision: number; readonly enabled: boolean };
  }) => void;
  /** Definitions of MCP tools were approved. */
  readonly toolsApproved: (approval: {
    readonly server: string;
    readonly tools: readonly string[];
    readonly actor: string;
    readonly correlationId: string;
  }) => void;
  /** A request was refused; with a cause when the zone is at fault. */
  readonly refused: (refusal: {
    readonly kind: string;
    readonly method: string;
    readonly correlationId: string;
    readonly cause?: unknown;
  }) => void;
}
