import type { SlackThread } from "../slack/slack-api.ts";

/** A thread, as one team sees it: a channel shared by two teams has one id, and a separate app in each. */
export interface TeamThread extends SlackThread {
  readonly team_id: string;
}

/**
 * Stores the threads that this app takes part in, where replies are for it even without a mention. A thread is known from the time the
 * inbox accepts a record of it, before the policy judges its author.
 */
export interface ThreadStore {
  /** Joins the thread: the person who addressed the app is allowed. */
  join(thread: TeamThread): Promise<void>;
  /** Forgets the thread, because its author is denied; a thread that the app has joined for someone else stays. */
  leave(thread: TeamThread): Promise<void>;
  has(thread: TeamThread): Promise<boolean>;
  /** Resolves with the conversation of a thread, the same for every message and process. */
  conversation(thread: TeamThread): Promise<ThreadConversation>;
  /** Binds the thread to the agent for messages that name none. */
  bind(thread: TeamThread, agent: string): Promise<void>;
}

/** The conversation's id for agents, and the agent that answers in it. */
export interface ThreadConversation {
  /** Random, so that it reveals nothing about the team, channel or thread. UUID. */
  readonly context_id: string;
  /** The agent that answered first, or that a later message named. */
  readonly agent?: string;
}
