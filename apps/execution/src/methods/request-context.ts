import type { Span } from "@crosszone/service-kit/tracing";

/**
 * Sends a notification before the answer. Resolves when the caller can receive more, or has disconnected; never
 * rejects.
 */
export type Notify = (message: string) => Promise<void>;

/** What a method knows about the request besides its params. */
export interface RequestContext {
  /** The authenticated caller. */
  readonly caller: string;
  /** Identifies the request in logs and errors. Replaced by the id in the params once they are read. */
  correlationId: string;
  /** The HTTP request's id in logs. */
  readonly requestId?: string;
  /** The request's span: the caller's, then this zone's own. */
  traceparent?: string;
  /** This zone's own span, when recorded. */
  span?: Span;
  /** Returns the scheme, host and port that the request was sent to; absent within one process. */
  readonly origin?: () => string;
  /** Aborted when the caller disconnects. Ends waiting, but never a task. */
  readonly signal?: AbortSignal;
  /** Absent when the caller accepts only the answer. */
  readonly notify?: Notify;
}
