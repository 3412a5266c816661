import { setTimeout as delay } from "node:timers/promises";
import type { RunGraph } from "@crosszone/contracts";
import { isApiFailure } from "../api/api-failure.ts";

/** The least time between two questions for it, milliseconds: what the zone allows a token is shared by all who have it. */
const pauseMs = 1_000;

export interface LatestGraph {
  /** Asks for the graph soon, however often it is called. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

/** Keeps the picture of a run fresh. One that cannot be had is left out: a later one has all that it had. */
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
