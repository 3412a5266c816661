import type { SlackApi, SlackThread } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";

/**
 * Shows in a thread that the agent is working, with Slack's own Stop button. The status is decoration: answers must not wait for it. Its
 * methods never reject, and updates of one thread reach Slack in order.
 */
export interface SessionStatus {
  working(thread: SlackThread): Promise<void>;
  idle(thread: SlackThread): Promise<void>;
}

/** How long finished work waits for Slack to accept the final status, milliseconds. */
export const statusTimeoutMs = 500;

/**
 * Makes a session status. It stops calling Slack after the first refusal, which Slack sends for an app that is not declared as an agent.
 */
export function createSessionStatus(slack: SlackApi, onRefused: (error: SlackCallError) => void): SessionStatus {
  let refused = false;
  const latest = new Map<string, Promise<void>>();
  const call = async (thread: SlackThread, status: "processing" | "active"): Promise<void> => {
    if (refused) return;
    try {
      await slack.setSessionStatus(thread, status);
    } catch (error) {
      if (!(error instanceof SlackCallError) || error.failure !== "refused" || refused) return;
      refused = true;
      onRefused(error);
    }
  };
  const set = async (thread: SlackThread, status: "processing" | "active"): Promise<void> => {
    const key = `${thread.channel} ${thread.thread_ts}`;
    const calling = (latest.get(key) ?? Promise.resolve()).then(() => call(thread, status));
    latest.set(key, calling);
    await calling;
    if (latest.get(key) === calling) latest.delete(key);
  };
  return {
    working: (thread) => set(thread, "processing"),
    idle: (thread) => set(thread, "active"),
  };
}
