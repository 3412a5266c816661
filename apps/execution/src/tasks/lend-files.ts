import type { ReadFile } from "../agents/agent.ts";

/**
 * Gives a task the way to its files, for the time that it runs. When the signal aborts, what is still being read ends, nothing more
 * can be read, and the handle is let go of, whoever still holds the function. Without a handle there is nothing to read.
 */
export type LendFiles = (lease: {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}) => ReadFile;
