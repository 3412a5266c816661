import type { AgentResult } from "@crosszone/contracts";
import type { AgentWaitStore } from "./agent-wait-store.ts";

/** Lets many wait for results of the bus, whichever process gets them off the bus. */
export interface ResultWatch {
  /** Wakes who waits here for this result. */
  readonly tell: (result: AgentResult) => void;
  /** Waits for the result of a task; rejects with the signal's reason. One waits for a task at a time. */
  readonly waitFor: (taskId: string, signal: AbortSignal) => Promise<AgentResult>;
}

export interface ResultWatchOptions {
  readonly store: Pick<AgentWaitStore, "results">;
  /** Told that the store did not say what it has; it is asked again. */
  readonly onFailure: (cause: unknown) => void;
  /** Between two looks, milliseconds: the first pause (default 100), and what it grows to while nothing comes (default 1,000). */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/**
 * What another process has stored is looked up in the store: all by one query, only while somebody waits, and less and less often
 * until something comes or somebody new waits.
 */
export function createResultWatch(options: ResultWatchOptions): ResultWatch {
  const { store, onFailure, firstPauseMs = 100, longestPauseMs = 1_000 } = options;
  const waiting = new Map<string, (result: AgentResult) => void>();
  let planned: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  let looking = false;
  let pauseMs = firstPauseMs;

  const tell = (result: AgentResult): void => waiting.get(result.task_id)?.(result);

  /** Looks in so long, or when it was planned already: whatever comes first. */
  function plan(waitMs: number): void {
    const at = performance.now() + waitMs;
    if (looking || waiting.size === 0 || (planned !== undefined && planned.at <= at)) return;
    clearTimeout(planned?.timer);
    planned = { at, timer: setTimeout(() => void look(), waitMs) };
  }

  async function look(): Promise<void> {
    planned = undefined;
    looking = true;
    try {
      const found = await store.results([...waiting.keys()]);
      pauseMs = found.length > 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * 1.5);
      for (const result of found) tell(result);
    } catch (cause) {
      pauseMs = longestPauseMs;
      onFailure(cause);
    }
    looking = false;
    plan(pauseMs);
  }

  return {
    tell,
    waitFor: async (taskId, signal) => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<AgentResult>();
      const stop = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      waiting.set(taskId, resolve);
      pauseMs = firstPauseMs;
      plan(firstPauseMs);
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", stop);
        waiting.delete(taskId);
        if (waiting.size === 0) {
          clearTimeout(planned?.timer);
          planned = undefined;
        }
      }
    },
  };
}
