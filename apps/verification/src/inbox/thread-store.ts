import type { SlackThread } from "../slack/slack-api.ts";

/** A thread, as one team sees it: a channel shared by two teams has one id, and a separate app in each. */
export interface TeamThread extends SlackThread {
  readonly team_id: string;
}

/**
 * Stores the threads that this app takes part in, where replies are for it even without a mention. A thread with an open record is one of
 * them too, until the record is done; the answer to a question joins its thread (`Inbox.note`). Notices don't count: one may say that the app
 * does not answer there.
 */
export interface ThreadStore {
  /** Joins the thread: the person who addressed the app is allowed. */
  join(thread: TeamThread): Promise<void>;
  has(thread: TeamThread): Promise<boolean>;
}

/** A thread's conversation: its id for agents, and the agent that answers in it. */
export interface ThreadConversation {
  /** The same for every message and process. It reveals nothing about the team, channel or thread. UUID. */
  readonly context_id: string;
  /** The agent that answered first, or that a later message named. */
  readonly agent?: string;
}

/** The state of a question and its thread, which work on the question needs. */
export interface Standing {
  /** True if the question was marked as stopped. */
  readonly isStopped: boolean;
  /** The person who stopped it, if known. */
  readonly stoppedBy?: string;
  /** The thread's conversation, or the one that begins with this question. */
  readonly conversation: ThreadConversation;
  /** True if the thread has this conversation already, and was used within the hour. */
  readonly isKept: boolean;
}

/** The conversation that an answer stores for its thread. Without an agent, the thread stays bound to its current one. */
export interface AnsweredThread extends ThreadConversation {
  readonly thread: TeamThread;
}

/** The number of open questions in one thread. */
export interface ThreadQueue {
  readonly waiting: number;
  readonly inWork: number;
}
