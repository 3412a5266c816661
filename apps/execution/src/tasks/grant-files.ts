import type { ReadFile } from "../agents/agent.ts";

/** What a task can read its files with. */
export interface FileGrant {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
}

/**
 * Grants a task access to its files while it runs. When the signal aborts, reads in progress end, later reads fail, and
 * the handle is dropped even if the function is still referenced. Without a handle every read fails.
 */
export type GrantFiles = (grant: FileGrant) => ReadFile;

/** The files of one run of a task. */
export interface RunFiles {
  readonly readFile: ReadFile;
  /** Ends reads in progress, and drops the handle. Later reads reject with this reason. */
  readonly close: (reason: Error) => void;
}

/** Grants access with the first read: most runs read no file, and an aborted signal costs more than their end. */
export function openFiles(grantFiles: GrantFiles, grant: Omit<FileGrant, "signal">): RunFiles {
  const controller = new AbortController();
  let open: Omit<FileGrant, "signal"> | undefined = grant;
  let granted: ReadFile | undefined;
  let closed: Error | undefined;
  return {
    readFile: async (id) => {
      if (open === undefined) throw closed;
      granted ??= grantFiles({ ...open, signal: controller.signal });
      return granted(id);
    },
    close: (reason) => {
      if (open === undefined) return;
      open = undefined;
      closed = reason;
      if (granted !== undefined) controller.abort(reason);
    },
  };
}
