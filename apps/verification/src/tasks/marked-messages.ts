import type { Clock } from "../clock.ts";
import type { MarkedMessage, SlackApi, SlackMessage, TaskMark } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { hasEnded, isLive, troubleOf } from "../streams/stream-trouble.ts";
import { timersFirst } from "../timers-first.ts";
import { isRefusedForGood } from "./refused-for-good.ts";
import { retrying, type RetryOptions } from "./retry.ts";
import { slackRetryAfter } from "./retry-after.ts";
import { searchThread, type SearchedThread } from "./search-thread.ts";

export interface MarkedMessagesOptions {
  readonly slack: Pick<SlackApi, "post" | "update" | "replies" | "stopStream">;
  readonly clock: Clock;
  readonly thread: SearchedThread;
  /** Aborts when somebody else has to go on: nothing is said from then on, and everything rejects with its reason. */
  readonly leave: AbortSignal;
  readonly onRetry?: RetryOptions["onRetry"];
  /** Whether a message without a mark is the first message of the answer. None is when absent. */
  readonly adopts?: (message: SlackMessage) => boolean;
}

export interface Posting {
  readonly message: MarkedMessage;
  /** How long it may be tried, milliseconds. */
  readonly budgetMs: number;
  /** Whether the message may be there already. */
  readonly doubtful: boolean;
}

/** A message in its place: posted now, or found there with the mark that it has. */
export interface Posted {
  readonly ts: string;
  readonly state: TaskMark["state"] | undefined;
}

/** Messages of ours in one thread, each of which appears once, however often and by whomever it has to be tried. */
export interface MarkedMessages {
  /** Puts the message into the thread, or finds what is in its place already. Rejects with the last `SlackCallError`. */
  post(posting: Posting): Promise<Posted>;
  /** Changes the message `ts` into this one, and ends its stream first; posts it anew when that message is gone. */
  replace(ts: string, posting: Posting): Promise<void>;
  /** Changes the message `ts` into this one, without trying again: for what is no answer and may be missed. */
  edit(ts: string, message: MarkedMessage): Promise<void>;
  /** The message with the place of this mark, if it is in the thread. Asks once. */
  find(mark: TaskMark): Promise<SlackMessage | undefined>;
}

/** What Slack answers when a message of ours cannot become the answer any more. */
const gone: ReadonlySet<string> = new Set(["message_not_found", "cant_update_message", "edit_window_closed"]);

/** A post whose answer was lost may have been done: before it is tried again, the thread is searched for the message's mark. */
export function createMarkedMessages(options: MarkedMessagesOptions): MarkedMessages {
  const { slack, clock, thread, leave, onRetry, adopts } = options;
  const { channel } = thread;
  const patiently = <T>(budgetMs: number, operation: () => Promise<T>): Promise<T> =>
    retrying(operation, {
      budgetMs,
      clock,
      signal: leave,
      firstMs: 1_000,
      longestMs: 15_000,
      retryAfter: slackRetryAfter,
      ...(onRetry && { onRetry }),
    });

  const find = async (mark: TaskMark, replaced?: string): Promise<SlackMessage | undefined> => {
    let adopted: SlackMessage | undefined;
    const marked = await searchThread(slack, thread, (message) => {
      if (message.ts === replaced) return false;
      if ((mark.part ?? 1) === 1 && adopts?.(message) === true) adopted ??= message;
      return isSame(message.mark, mark);
    });
    return marked ?? adopted;
  };

  /** Changes a message once. One that is still a live stream, maybe of a process that died, is ended first. */
  const change = async (ts: string, message: MarkedMessage, session_status: "processing" | "active"): Promise<void> => {
    const place = { channel, ts };
    try {
      await slack.update(place, message);
    } catch (error) {
      if (!isLive(error)) throw error;
      leave.throwIfAborted();
      await slack.stopStream(place, { mark: { ...message.mark, state: "working" }, session_status }).catch(unlessEnded);
      leave.throwIfAborted();
      await slack.update(place, message);
    }
  };

  /** `replaced` is a message that carries the same mark and is not the one that is posted. */
  const post = ({ message, budgetMs, doubtful }: Posting, replaced?: string): Promise<Posted> => {
    let search = doubtful;
    return patiently(budgetMs, async () => {
      const known = search ? await find(message.mark, replaced) : undefined;
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
    find: (mark) => find(mark),
    post: (posting) => post(posting),
    edit: async (ts, message) => {
      await timersFirst();
      // Whoever has the record now may have put the answer there.
      leave.throwIfAborted();
      await change(ts, message, "processing");
    },
    replace: async (ts, posting) => {
      const { message, budgetMs } = posting;
      try {
        await patiently(budgetMs, () => change(ts, message, "active"));
      } catch (error) {
        if (!(error instanceof SlackCallError) || !gone.has(error.code)) throw error;
        await post(posting, ts);
      }
    },
  };
}

/** Slack ends a stream by itself within minutes. A refusal to end it says nothing of the answer, which is brought later. */
function unlessEnded(error: unknown): void {
  if (hasEnded(error)) return;
  if (!isRefusedForGood(error) || troubleOf(error) === "leave") throw error;
  throw new SlackCallError(error.method, { failure: "unavailable", code: error.code, cause: error });
}

/** The same place in the answer to the same message. */
function isSame(mark: Partial<TaskMark> | undefined, wanted: TaskMark): boolean {
  return mark?.request_id === wanted.request_id && (mark.part ?? 1) === (wanted.part ?? 1);
}
