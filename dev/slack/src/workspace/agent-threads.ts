import type { AgentThread } from "../protocol/workspace.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Storage } from "./storage.ts";

/** The place of a thread. */
export interface Thread {
  channel: string;
  thread_ts: string;
}

/**
 * The status line of each thread. `assistant.threads.setStatus` and `agents.sessions.setStatus` write the same line, and the
 * last one wins. Only the first kind is cleared when the app replies. See
 * https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
export interface ThreadStatus {
  set(thread: Thread, status: string, kind: "assistant" | "session"): void;
  /** Call it when the app has replied in the thread. */
  replied(thread: Thread): void;
  /** Returns every thread that has had a status. */
  all(): AgentThread[];
}

/** Makes the statuses; every change is published to the feed. */
export function createThreadStatus(feed: ChangeFeed, { keep }: Storage): ThreadStatus {
  const lines = keep<AgentThread & { kind: "assistant" | "session" }>("threads");
  const key = ({ channel, thread_ts }: Thread): string => `${channel} ${thread_ts}`;

  const statuses: ThreadStatus = {
    set: ({ channel, thread_ts }, status, kind) => {
      lines.set(key({ channel, thread_ts }), { channel, thread_ts, status, kind });
      feed.publish({ type: "status", channel, thread_ts, status });
    },
    replied: (thread) => {
      const line = lines.get(key(thread));
      if (line?.kind === "assistant" && line.status !== "") statuses.set(thread, "", "assistant");
    },
    all: () => [...lines.values()].map(({ kind: _kind, ...line }) => line),
  };
  return statuses;
}
