import type { ChangeFeed } from "./change-feed.ts";

/** A thread as a place. */
export interface Thread {
  channel: string;
  thread_ts: string;
}

/**
 * The one status line a thread has. `assistant.threads.setStatus` and `agents.sessions.setStatus` write the same line, the last
 * one wins; only the first kind goes away by itself when the app replies.
 * See https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
export interface ThreadStatus {
  set(thread: Thread, status: string, kind: "assistant" | "session"): void;
  /** The app replied in the thread. */
  replied(thread: Thread): void;
  /** Title of the agent session; the first one given stays. */
  title(thread: Thread, title: string | undefined): string | undefined;
}

/** Statuses in memory; every change goes to the feed. */
export function createThreadStatus(feed: ChangeFeed): ThreadStatus {
  const lines = new Map<string, { status: string; kind: "assistant" | "session" }>();
  const titles = new Map<string, string>();
  const key = ({ channel, thread_ts }: Thread): string => `${channel} ${thread_ts}`;

  const statuses: ThreadStatus = {
    set: ({ channel, thread_ts }, status, kind) => {
      lines.set(key({ channel, thread_ts }), { status, kind });
      feed.publish({ type: "status", channel, thread_ts, status });
    },
    replied: (thread) => {
      const line = lines.get(key(thread));
      if (line?.kind === "assistant" && line.status !== "") statuses.set(thread, "", "assistant");
    },
    title: (thread, title) => {
      if (title !== undefined && !titles.has(key(thread))) titles.set(key(thread), title);
      return titles.get(key(thread));
    },
  };
  return statuses;
}
