import type { SlackThread } from "../slack/slack-api.ts";

/** Knows the threads that this app takes part in: replies there are for it even without a mention. */
export interface ThreadStore {
  add(thread: SlackThread): Promise<void>;
  has(thread: SlackThread): Promise<boolean>;
}

/** Threads in memory; beyond `most`, the one that was quiet the longest is forgotten. */
export function createMemoryThreadStore({ most }: { readonly most: number }): ThreadStore {
  const threads = new Set<string>();
  const keyOf = ({ channel, thread_ts }: SlackThread): string => `${channel} ${thread_ts}`;
  return {
    add: async (thread) => {
      threads.delete(keyOf(thread));
      threads.add(keyOf(thread));
      const [oldest] = threads;
      if (threads.size > most && oldest !== undefined) threads.delete(oldest);
    },
    has: async (thread) => threads.has(keyOf(thread)),
  };
}
