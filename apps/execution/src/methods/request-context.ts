import type { Span } from "@crosszone/service-kit/tracing";

/** Sends a message that goes before the answer. Resolves when the asker is ready for more, or gone; never rejects. */
export type Notify = (message: string) => Promise<void>;

/** What a method knows of the request beside its params. */
export interface RequestContext {
  /** Who asks, as authentication found out. */
  readonly caller: string;
  /** Follows the request through logs and errors; the one that its params name takes its place once they are read. */
  correlationId: string;
  /** Under which logs know the HTTP request. */
  readonly requestId?: string | undefined;
  /** The span that the request belongs to: the caller's, then this zone's own. */
  traceparent?: string | undefined;
  /** This zone's own span, where one is recorded. */
  span?: Span;
  /** Returns the scheme, host and port that the request was sent to; absent within one process. */
  readonly origin?: () => string;
  /** Aborted when the asker went away; ends waiting, never a task. */
  readonly signal?: AbortSignal;
  /** Absent when the asker takes nothing but the answer. */
  readonly notify?: Notify;
}
