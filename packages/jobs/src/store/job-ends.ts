import type { CompiledQuery } from "kysely";
import type { EndingJob, JobStore } from "./job-store.ts";

/** Ends jobs and their children in one commit when both end at about the same time. */
export interface EndTogether<Own extends string> {
  /**
   * Stores the end of a child with that of its parent if that follows within some milliseconds, else by itself. Resolves
   * with whether the child was still leased.
   */
  readonly endChild: (parent: string, ending: EndingJob<Own>) => Promise<boolean>;
  /**
   * Stores the end of a job with those of its children that wait for it. Resolves with whether it was still leased. `also`: see
   * `JobStore.end`.
   */
  readonly end: (ending: EndingJob<Own>, also?: readonly CompiledQuery[]) => Promise<boolean>;
}

interface WaitingEnd<Own extends string> {
  readonly ending: EndingJob<Own>;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (isLeased: boolean | Promise<boolean>) => void;
}

/** How long the end of a child waits for that of its parent, milliseconds. */
const togetherMs = 20;

export function createEndTogether<Own extends string>(store: Pick<JobStore<Own>, "end">): EndTogether<Own> {
  const waiting = new Map<string, Set<WaitingEnd<Own>>>();
  const endOne = async (ending: EndingJob<Own>): Promise<boolean> => (await store.end([ending]))[0] ?? false;

  function leave(parent: string, one: WaitingEnd<Own>): void {
    const ofParent = waiting.get(parent);
    ofParent?.delete(one);
    if (ofParent?.size === 0) waiting.delete(parent);
  }

  return {
    endChild: (parent, ending) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          leave(parent, one);
          resolve(endOne(ending));
        }, togetherMs);
        const one: WaitingEnd<Own> = { ending, timer, resolve };
        waiting.set(parent, (waiting.get(parent) ?? new Set()).add(one));
      }),

    end: async (ending, also) => {
      const children = [...(waiting.get(ending.leaseId.id) ?? [])];
      waiting.delete(ending.leaseId.id);
      for (const { timer } of children) clearTimeout(timer);
      const stored = store.end([ending, ...children.map((child) => child.ending)], also);
      // Each child retries by itself when the commit fails.
      for (const [index, child] of children.entries()) child.resolve(stored.then((ended) => ended[index + 1] ?? false));
      return (await stored)[0] ?? false;
    },
  };
}
