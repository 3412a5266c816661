import { setTimeout as delay } from "node:timers/promises";
import type { RunGraph } from "@crosszone/contracts";
import { isApiFailure } from "../api/api-failure.ts";

/** Minimum time between two requests, milliseconds. All users of a token share its rate limit. */
const pauseMs = 1_000;

export interface LatestGraph {
  /** Requests the graph soon. Calls in the meantime are merged. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

/** Keeps a run's graph up to date. A failed request is skipped; the next graph includes its changes. */
export function createLatestGraph(read: () => Promise<RunGraph>, show: (graph: RunGraph) => void): LatestGraph {
  const end = new AbortController();
  let isWanted = false;
  let isAsking = false;

  async function ask(): Promise<void> {
    isAsking = true;
    while (isWanted && !end.signal.aborted) {
      isWanted = false;
      try {
        const graph = await read();
        if (!end.signal.aborted) show(graph);
      } catch (error) {
        if (!isApiFailure(error)) throw error;
      }
      await delay(pauseMs, undefined, { signal: end.signal }).catch(() => undefined);
    }
    isAsking = false;
  }

  return {
    refresh: () => {
      isWanted = true;
      if (!isAsking) void ask();
    },
    stop: () => end.abort(),
  };
}
