import type { SlackThread } from "../slack/slack-api.ts";

/** A thread, as one team sees it: a channel that two teams share has one id, and an app of its own in each. */
export interface TeamThread extends SlackThread {
  readonly team_id: string;
}

/**
 * Knows the threads that this app takes part in: replies there are for it even without a mention. A thread is known from when the
 * inbox accepts a record of it: somebody turned to the app there, and was not judged yet.
 */
export interface ThreadStore {
  /** Whoever turned to the app may ask: it takes part. */
  join(thread: TeamThread): Promise<void>;
  /** Whoever did may not: the thread is forgotten, unless the app has joined it for somebody else. */
  leave(thread: TeamThread): Promise<void>;
  has(thread: TeamThread): Promise<boolean>;
  /** The conversation of a thread, the same for each message and in every process. */
  conversation(thread: TeamThread): Promise<ThreadConversation>;
  /** From now on this agent answers in the thread when a message names none. */
  bind(thread: TeamThread, agent: string): Promise<void>;
}

/** What agents know a thread by, and which of them answers there. */
export interface ThreadConversation {
  /** Random, so that it tells nothing about team, channel or thread. UUID. */
  readonly context_id: string;
  /** The agent that answered first, or was named since. */
  readonly agent?: string;
}
