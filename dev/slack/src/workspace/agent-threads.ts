import type { AgentThread, SuggestedPrompts } from "../protocol/workspace.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Storage } from "./storage.ts";

/** Stores the app's suggested prompts: the latest of each conversation and of each thread. */
export interface PromptStore {
  set(suggested: SuggestedPrompts): void;
  all(): SuggestedPrompts[];
}

/** Makes a store; it publishes every change to the feed. */
export function createPromptStore(feed: ChangeFeed, { keep }: Storage): PromptStore {
  const places = keep<SuggestedPrompts>("prompts");
  return {
    set: (suggested) => {
      places.set(`${suggested.channel} ${suggested.thread_ts ?? ""}`, suggested);
      feed.publish({ type: "prompts", suggested });
    },
    all: () => [...places.values()],
  };
}

/** The place of a thread. */
export interface Thread {
  channel: string;
  thread_ts: string;
}

/**
 * The status line and the title of each thread. `assistant.threads.setStatus` and `agents.sessions.setStatus` write the same line, and the
 * last one wins. Only the first kind is cleared when the app replies. See
 * https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
export interface ThreadStatus {
  set(thread: Thread, status: string, kind: "assistant" | "session"): void;
  /** Call it when the app has replied in the thread. */
  replied(thread: Thread): void;
  /** Sets the title of the agent session, unless it has one; returns the title. */
  title(thread: Thread, title: string | undefined): string | undefined;
  /** Replaces the title. */
  rename(thread: Thread, title: string): void;
  /** Returns every thread that has had a status or a title. */
  all(): AgentThread[];
}

/** Makes the statuses; every change is published to the feed. */
export function createThreadStatus(feed: ChangeFeed, { keep }: Storage): ThreadStatus {
  const lines = keep<AgentThread & { kind?: "assistant" | "session" }>("threads");
  const key = ({ channel, thread_ts }: Thread): string => `${channel} ${thread_ts}`;
  const change = (
    { channel, thread_ts }: Thread,
    changes: Partial<AgentThread> & { kind?: "assistant" | "session" },
  ): void => {
    const line = lines.get(key({ channel, thread_ts })) ?? { channel, thread_ts, status: "" };
    lines.set(key(line), { ...line, ...changes });
  };

  const statuses: ThreadStatus = {
    set: ({ channel, thread_ts }, status, kind) => {
      change({ channel, thread_ts }, { status, kind });
      feed.publish({ type: "status", channel, thread_ts, status });
    },
    replied: (thread) => {
      const line = lines.get(key(thread));
      if (line?.kind === "assistant" && line.status !== "") statuses.set(thread, "", "assistant");
    },
    title: (thread, title) => {
      const before = lines.get(key(thread))?.title;
      if (title !== undefined && before === undefined) statuses.rename(thread, title);
      return before ?? title;
    },
    rename: ({ channel, thread_ts }, title) => {
      change({ channel, thread_ts }, { title });
      feed.publish({ type: "title", channel, thread_ts, title });
    },
    all: () => [...lines.values()].map(({ kind: _kind, ...line }) => line),
  };
  return statuses;
}
