import type { SlackApi, SlackThread, ThreadStatus } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";

/** How long finished work waits for Slack to accept the final status, milliseconds. */
export const statusTimeoutMs = 500;

/** Slack's codes for a place that is gone or closed. */
const ofOnePlace =
  /^((channel|thread|message)_not_found|invalid_thread_ts|is_archived|not_in_channel|restricted_action.*)$/;

/**
 * Shows in a thread that the agent is working, with Slack's own Stop button. The status is decoration: answers must not wait for it. Its
 * methods never reject, and updates of one thread reach Slack in order. It stops calling Slack after the first refusal that is not about one
 * place, which Slack sends for an app that is not declared as an agent.
 */
export class SessionStatus {
  readonly #slack: SlackApi;
  readonly #onRefused: (error: SlackCallError) => void;
  readonly #latest = new Map<string, Promise<void>>();
  #isRefused = false;

  constructor(slack: SlackApi, onRefused: (error: SlackCallError) => void) {
    this.#slack = slack;
    this.#onRefused = onRefused;
  }

  working(thread: SlackThread): Promise<void> {
    return this.#set(thread, "processing");
  }

  idle(thread: SlackThread): Promise<void> {
    return this.#set(thread, "active");
  }

  /** A person has to decide before the work goes on. */
  suspended(thread: SlackThread): Promise<void> {
    return this.#set(thread, "suspended");
  }

  async #set(thread: SlackThread, status: ThreadStatus): Promise<void> {
    const key = `${thread.channel} ${thread.thread_ts}`;
    const calling = (this.#latest.get(key) ?? Promise.resolve()).then(() => this.#call(thread, status));
    this.#latest.set(key, calling);
    await calling;
    if (this.#latest.get(key) === calling) this.#latest.delete(key);
  }

  async #call(thread: SlackThread, status: ThreadStatus): Promise<void> {
    if (this.#isRefused) return;
    try {
      await this.#slack.setSessionStatus(thread, status);
    } catch (error) {
      if (!(error instanceof SlackCallError) || error.failure !== "refused" || this.#isRefused) return;
      if (ofOnePlace.test(error.code)) return;
      this.#isRefused = true;
      this.#onRefused(error);
    }
  }
}
