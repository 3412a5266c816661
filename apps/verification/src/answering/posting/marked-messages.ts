import { type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { MarkedMessage, SlackApi, SlackMessage, TaskMark } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { timersFirst } from "../../time/timers-first.ts";
import { hasEnded, isLive, troubleOf } from "../streams/stream-trouble.ts";
import { isRefusedForGood, slackRetryAfter } from "./slack-failures.ts";
import { type SearchedThread, searchThread } from "./search-thread.ts";

export interface MarkedMessagesOptions {
  readonly slack: Pick<SlackApi, "post" | "update" | "replies" | "stopStream">;
  readonly clock: Clock;
  readonly thread: SearchedThread;
  /** Aborts when another process must continue: nothing is posted from then on, and every call rejects with the signal's reason. */
  readonly leave: AbortSignal;
  readonly onRetry?: RetryOptions["onRetry"];
  /** Returns true if a message without a mark is the first message of the answer. When absent, no message is. */
  readonly adopts?: (message: SlackMessage) => boolean;
}

export interface Posting {
  readonly message: MarkedMessage;
  /** How long posting is retried, milliseconds. */
  readonly budgetMs: number;
  /** True when the message may already be posted. */
  readonly doubtful: boolean;
}

/** A message in its place: newly posted, or found there with its mark. */
export interface Posted {
  readonly ts: string;
  readonly state: TaskMark["state"] | undefined;
}

/** Messages of the app in one thread. Each appears once, however many attempts or processes post it. */
export interface MarkedMessages {
  /** Posts the message, or finds the one that is already in its place. Rejects with the last `SlackCallError`. */
  post(posting: Posting): Promise<Posted>;
  /** Replaces the message `ts` and ends its stream first. Posts a new message if that one is gone. */
  replace(ts: string, posting: Posting): Promise<void>;
  /** Edits the message `ts` without retries, for content that may be lost. */
  edit(ts: string, message: MarkedMessage): Promise<void>;
  /** Returns the message in the thread whose mark has the same place. Searches once, without retries. */
  find(mark: TaskMark): Promise<SlackMessage | undefined>;
}

/** Slack errors for a message that can no longer become the answer. */
const gone: ReadonlySet<string> = new Set(["message_not_found", "cant_update_message", "edit_window_closed"]);

/**
 * Makes the messages of one thread. A post whose response was lost may have succeeded, so the thread is searched for the message's mark
 * before a retry.
 */
export function createMarkedMessages(options: MarkedMessagesOptions): MarkedMessages {
  const { slack, clock, thread, leave, onRetry } = options;
  const withRetries = <T>(budgetMs: number, operation: () => Promise<T>): Promise<T> =>
    retry(operation, {
      budgetMs,
      clock,
      signal: leave,
      firstMs: 1_000,
      longestMs: 15_000,
      retryAfter: slackRetryAfter,
      onRetry,
    });

  /** `replaced` is a message with the same mark that is not the one to post. */
  const post = ({ message, budgetMs, doubtful }: Posting, replaced?: string): Promise<Posted> => {
    let search = doubtful;
    return withRetries(budgetMs, async () => {
      const known = search ? await findMarked(options, message.mark, replaced) : undefined;
      if (known !== undefined) return { ts: known.ts, state: known.mark?.state };
      await timersFirst();
      leave.throwIfAborted();
      try {
        const { ts } = await slack.post(thread, message);
        return { ts, state: message.mark.state };
      } catch (error) {
        search ||= error instanceof SlackCallError && error.failure === "unavailable";
        throw error;
      }
    });
  };

  return {
    find: (mark) => findMarked(options, mark),
    post: (posting) => post(posting),
    edit: async (ts, message) => {
      await timersFirst();
      // Another process with the record may have posted the answer there.
      leave.throwIfAborted();
      await changeMessage(options, { ts, message, session_status: "processing" });
    },
    replace: async (ts, posting) => {
      const { message, budgetMs } = posting;
      try {
        await withRetries(budgetMs, () => changeMessage(options, { ts, message, session_status: "active" }));
      } catch (error) {
        if (!(error instanceof SlackCallError) || !gone.has(error.code)) throw error;
        await post(posting, ts);
      }
    },
  };
}

/** Returns the message in the thread whose mark has the same place, except the message `replaced`. Searches once, without retries. */
async function findMarked(
  { slack, thread, adopts }: MarkedMessagesOptions,
  mark: TaskMark,
  replaced?: string,
): Promise<SlackMessage | undefined> {
  let adopted: SlackMessage | undefined;
  const marked = await searchThread(slack, thread, (message) => {
    if (message.ts === replaced) return false;
    if ((mark.part ?? 1) === 1 && adopts?.(message) === true) adopted ??= message;
    return isSame(message.mark, mark);
  });
  return marked ?? adopted;
}

interface Change {
  readonly ts: string;
  readonly message: MarkedMessage;
  readonly session_status: "processing" | "active";
}

/** Edits a message once. A live stream, possibly of a crashed process, is ended first. */
async function changeMessage(
  { slack, thread, leave }: MarkedMessagesOptions,
  { ts, message, session_status }: Change,
): Promise<void> {
  const place = { channel: thread.channel, ts };
  try {
    await slack.update(place, message);
  } catch (error) {
    if (!isLive(error)) throw error;
    leave.throwIfAborted();
    await slack.stopStream(place, { mark: { ...message.mark, state: "working" }, session_status }).catch(unlessEnded);
    leave.throwIfAborted();
    await slack.update(place, message).catch(unlessLive);
  }
}

/** Ignores refusals to end a stream: Slack ends it by itself within minutes, and the answer is delivered later. */
function unlessEnded(error: unknown): void {
  if (hasEnded(error)) return;
  if (!isRefusedForGood(error) || troubleOf(error) === "leave") throw error;
  throw new SlackCallError(error.method, { failure: "unavailable", code: error.code, cause: error });
}

/** Slack has said that the stream has ended, and that it has not. One of the two comes true soon. */
function unlessLive(error: unknown): never {
  if (!isLive(error)) throw error;
  throw new SlackCallError(error.method, { failure: "unavailable", code: error.code, cause: error });
}

/** Returns true if both marks have the same place in the answer to the same message. */
function isSame(mark: Partial<TaskMark> | undefined, wanted: TaskMark): boolean {
  return mark?.request_id === wanted.request_id && (mark.part ?? 1) === (wanted.part ?? 1);
}
