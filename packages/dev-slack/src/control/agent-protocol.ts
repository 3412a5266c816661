/** What an app that is an agent shows beside its messages. Part of the control API; `protocol.ts` describes the rest. */
export interface AgentView {
  threads: AgentThread[];
  prompts: SuggestedPrompts[];
}

/** A thread with an agent. */
export interface AgentThread {
  channel: string;
  thread_ts: string;
  /** The status line; empty when there is none. */
  status: string;
  title?: string;
}

/** Prompts that the app suggests in a conversation, or in one thread of it. */
export interface SuggestedPrompts {
  channel: string;
  thread_ts?: string;
  title?: string;
  /** At most four: what a person reads, and what is sent when they choose it. */
  prompts: { title: string; message: string }[];
}

/** What a message shows of its stream. */
export interface MessageStream {
  /** `in_progress` until the app completes it, a person stops it, or its time is up. */
  state: "in_progress" | "completed" | "stopped" | "expired";
  /** How its tasks are shown. */
  display: "timeline" | "plan" | "dense";
  /** While it is in progress, only this user sees it; without one, everybody does. */
  recipient?: string;
  /** The app goes on in another message. */
  continues?: true;
}
