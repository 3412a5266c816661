import type { ReadFile } from "../agents/agent.ts";

/** What a task may read its files with. */
export interface FilesLease {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}

/**
 * Lends a task access to its files while it runs. When the signal aborts, reads in progress end, later reads fail, and
 * the handle is dropped even if the function is still referenced. Without a handle every read fails.
 */
export type LendFiles = (lease: FilesLease) => ReadFile;

/** The files of one run of a task. */
export interface RunFiles {
  readonly readFile: ReadFile;
  /** Ends reads in progress, and drops the handle. Later reads reject with this reason. */
  readonly close: (reason: Error) => void;
}

/** Lends a run its files with the first read: most runs read none, and an aborted signal costs more than their end. */
export function openFiles(lendFiles: LendFiles, lease: Omit<FilesLease, "signal">): RunFiles {
  const controller = new AbortController();
  let held: Omit<FilesLease, "signal"> | undefined = lease;
  let lent: ReadFile | undefined;
  let closed: Error | undefined;
  return {
    readFile: async (id) => {
      if (held === undefined) throw closed;
      lent ??= lendFiles({ ...held, signal: controller.signal });
      return lent(id);
    },
    close: (reason) => {
      if (held === undefined) return;
      held = undefined;
      closed = reason;
      if (lent !== undefined) controller.abort(reason);
    },
  };
}
