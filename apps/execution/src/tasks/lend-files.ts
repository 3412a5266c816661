import type { ReadFile } from "../agents/agent.ts";

/**
 * Lends a task access to its files while it runs. When the signal aborts, reads in progress end, later reads fail, and
 * the handle is dropped even if the function is still referenced. Without a handle every read fails.
 */
export type LendFiles = (lease: {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}) => ReadFile;
