import type { SlackThread } from "../slack/slack-api.ts";

/** Knows the threads that this app takes part in: replies there are for it even without a mention. */
export interface ThreadStore {
  /** Somebody turned to the app there, and was not judged yet. */
  add(thread: SlackThread): Promise<void>;
  /** Whoever did may ask: the app takes part. */
  join(thread: SlackThread): Promise<void>;
  /** Whoever did may not: the thread is forgotten, unless the app has joined it for somebody else. */
  leave(thread: SlackThread): Promise<void>;
  has(thread: SlackThread): Promise<boolean>;
}

/** Threads in memory; beyond `most`, the one that was quiet the longest is forgotten. */
export function createMemoryThreadStore({ most }: { readonly most: number }): ThreadStore {
  /** Whether each was joined; in the order of use. */
  const threads = new Map<string, boolean>();
  const keyOf = ({ channel, thread_ts }: SlackThread): string => `${channel} ${thread_ts}`;
  const keep = (key: string, joined: boolean): void => {
    threads.delete(key);
    threads.set(key, joined);
    const [oldest] = threads.keys();
    if (threads.size > most && oldest !== undefined) threads.delete(oldest);
  };
  return {
    add: async (thread) => keep(keyOf(thread), threads.get(keyOf(thread)) ?? false),
    join: async (thread) => keep(keyOf(thread), true),
    leave: async (thread) => {
      if (threads.get(keyOf(thread)) === false) threads.delete(keyOf(thread));
    },
    has: async (thread) => threads.has(keyOf(thread)),
  };
}
