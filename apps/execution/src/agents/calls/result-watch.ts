import type { AgentResult } from "@crosszone/contracts";
import { unlessAborted } from "@crosszone/service-kit/timing";
import type { ReadCalls } from "./call-reader.ts";

/** Lets tasks wait for the results of their calls, whichever process makes these. */
export interface ResultWatch {
  /** Wakes the task that waits in this process for a call's result. Returns whether one does. */
  readonly deliver: (callId: string, result: AgentResult) => boolean;
  /** Soon reads the calls that tasks wait for. */
  readonly readSoon: () => void;
  /** Waits for a call's result; rejects with the signal's reason. A call has at most one waiting task. */
  readonly waitFor: (callId: string, signal: AbortSignal) => Promise<AgentResult>;
}

export interface ResultWatchOptions {
  readonly read: ReadCalls;
  /** A call that a task waits for doesn't exist: it was not stored yet, or it was lost. */
  readonly onMissing: (callId: string) => void;
  /** Called when the store can't be read. The read is retried. */
  readonly onFailure: (cause: unknown) => void;
}

/** Time in which hints of results share a read, milliseconds. */
const soonMs = 5;

/** Pause between two reads, milliseconds: the first, and the longest while no result comes. */
const [firstPauseMs, longestPauseMs] = [100, 1_000];

/**
 * Creates a watch. It reads results that other processes stored: all with one query, only while a task waits, and with
 * growing pauses until a result or a new task comes.
 */
export function createResultWatch({ read, onMissing, onFailure }: ResultWatchOptions): ResultWatch {
  /** The tasks of this process that wait for results, by call. */
  const waiting = new Map<string, (result: AgentResult) => void>();
  let planned: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  let reading = false;
  let pauseMs = firstPauseMs;

  function deliver(callId: string, result: AgentResult): boolean {
    const wake = waiting.get(callId);
    wake?.(result);
    return wake !== undefined;
  }

  /** Schedules a read after this time, unless an earlier one is scheduled. */
  function plan(waitMs: number): void {
    const at = performance.now() + waitMs;
    if (reading || waiting.size === 0 || (planned !== undefined && planned.at <= at)) return;
    clearTimeout(planned?.timer);
    planned = { at, timer: setTimeout(() => void readAll(), waitMs) };
  }

  async function readAll(): Promise<void> {
    planned = undefined;
    reading = true;
    const ids = [...waiting.keys()];
    try {
      const found = await read(ids);
      let ended = 0;
      for (const id of ids) {
        const result = found.get(id);
        if (result === undefined) onMissing(id);
        else if (result !== "open" && deliver(id, result)) ended += 1;
      }
      pauseMs = ended > 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * 1.5);
    } catch (cause) {
      pauseMs = longestPauseMs;
      onFailure(cause);
    }
    reading = false;
    plan(pauseMs);
  }

  return {
    deliver,
    readSoon: () => {
      pauseMs = firstPauseMs;
      plan(soonMs);
    },
    waitFor: async (callId, signal) => {
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<AgentResult>();
      waiting.set(callId, resolve);
      pauseMs = firstPauseMs;
      plan(firstPauseMs);
      try {
        return await unlessAborted(promise, signal);
      } finally {
        if (waiting.get(callId) === resolve) waiting.delete(callId);
        if (waiting.size === 0) {
          clearTimeout(planned?.timer);
          planned = undefined;
        }
      }
    },
  };
}
