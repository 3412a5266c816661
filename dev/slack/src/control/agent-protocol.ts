/** What an agent app shows in addition to its messages. Part of the control API; `protocol.ts` describes the rest. */
export interface AgentView {
  threads: AgentThread[];
  prompts: SuggestedPrompts[];
}

/** A thread with an agent. */
export interface AgentThread {
  channel: string;
  thread_ts: string;
  /** The status line; empty if there is none. */
  status: string;
  title?: string;
}

/** The app's suggested prompts for a conversation, or for one of its threads. */
export interface SuggestedPrompts {
  channel: string;
  thread_ts?: string;
  title?: string;
  /** At most four: `title` is shown, and `message` is sent when it is selected. */
  prompts: { title: string; message: string }[];
}

/** The stream data of a message. */
export interface MessageStream {
  /** `in_progress` until the app completes it, a person stops it, or it expires. */
  state: "in_progress" | "completed" | "stopped" | "expired";
  /** How its tasks are shown. */
  display: "timeline" | "plan" | "dense";
  /** The only user who sees it while it is in progress; everyone if absent. */
  recipient?: string;
  /** The answer continues in another message. */
  continues?: true;
}
