import type { AgentResult } from "@crosszone/contracts";
import type { AgentWaitStore } from "./agent-wait-store.ts";

/** Lets many callers wait for results, whichever process consumes them. */
export interface ResultWatch {
  /** Wakes the caller that waits in this process for the result. */
  readonly tell: (result: AgentResult) => void;
  /** Waits for the result of a task; rejects with the signal's reason. A task has at most one waiting caller. */
  readonly waitFor: (taskId: string, signal: AbortSignal) => Promise<AgentResult>;
}

export interface ResultWatchOptions {
  readonly store: Pick<AgentWaitStore, "results">;
  /** Called when the store can't be read. The read is retried. */
  readonly onFailure: (cause: unknown) => void;
  /**
   * Pause between two reads, milliseconds: the first (default 100), and the longest while no result comes (default
   * 1,000).
   */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/**
 * Creates a watch. It reads results that other processes stored: all with one query, only while a caller waits, and
 * with growing pauses until a result or a new caller comes.
 */
export function createResultWatch(options: ResultWatchOptions): ResultWatch {
  const { store, onFailure, firstPauseMs = 100, longestPauseMs = 1_000 } = options;
  const waiting = new Map<string, (result: AgentResult) => void>();
  let planned: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  let looking = false;
  let pauseMs = firstPauseMs;

  const tell = (result: AgentResult): void => waiting.get(result.task_id)?.(result);

  /** Schedules a read after this time, unless an earlier one is scheduled. */
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
