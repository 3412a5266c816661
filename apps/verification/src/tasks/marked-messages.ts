import type { Clock } from "../clock.ts";
import type { MarkedMessage, SlackApi, SlackMessage, SlackThread, TaskMark } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { retrying, type RetryOptions } from "./retry.ts";
import { slackRetryAfter } from "./retry-after.ts";

export interface MarkedMessagesOptions {
  readonly slack: Pick<SlackApi, "post" | "update" | "replies">;
  readonly clock: Clock;
  readonly onRetry?: RetryOptions["onRetry"];
}

export interface Posting {
  readonly thread: SlackThread;
  readonly message: MarkedMessage;
  /** How long it may be tried, milliseconds. */
  readonly budgetMs: number;
  /** Whether the message may be there already. */
  readonly doubtful: boolean;
}

/** Posts messages of ours so that each appears once, however often it has to be tried. */
export interface MarkedMessages {
  /** Gives the message's timestamp. Rejects with the last `SlackCallError`. */
  post(posting: Posting): Promise<string>;
  /** Changes the message `ts` into this one; posts it anew when that message is gone. */
  replace(ts: string, posting: Posting): Promise<void>;
  /** The message with the place of this mark, if it is in the thread. Asks once. */
  find(thread: SlackThread, mark: TaskMark): Promise<SlackMessage | undefined>;
}

/** What Slack answers when a message of ours cannot become the answer any more. */
const gone: ReadonlySet<string> = new Set(["message_not_found", "cant_update_message", "edit_window_closed"]);
const pageSize = 200;

/** A post whose answer was lost may have been done: before it is tried again, the thread is searched for the message's mark. */
export function createMarkedMessages({ slack, clock, onRetry }: MarkedMessagesOptions): MarkedMessages {
  const patiently = <T>(budgetMs: number, operation: () => Promise<T>): Promise<T> =>
    retrying(operation, {
      budgetMs,
      clock,
      firstMs: 1_000,
      longestMs: 15_000,
      retryAfter: slackRetryAfter,
      ...(onRetry && { onRetry }),
    });

  async function find(
    { channel, thread_ts }: SlackThread,
    mark: TaskMark,
    replaced?: string,
  ): Promise<SlackMessage | undefined> {
    let cursor: string | undefined;
    do {
      const page = await slack.replies({
        channel,
        thread_ts,
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      });
      const found = page.messages.find((message) => message.ts !== replaced && isSame(message.mark, mark));
      if (found !== undefined) return found;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return undefined;
  }

  /** `replaced` is a message that carries the same mark and is not the one that is posted. */
  const post = ({ thread, message, budgetMs, doubtful }: Posting, replaced?: string): Promise<string> => {
    let search = doubtful;
    return patiently(budgetMs, async () => {
      const known = search ? await find(thread, message.mark, replaced) : undefined;
      if (known !== undefined) return known.ts;
      try {
        return (await slack.post(thread, message)).ts;
      } catch (error) {
        search ||= error instanceof SlackCallError && error.failure === "unavailable";
        throw error;
      }
    });
  };

  return {
    find: (thread, mark) => find(thread, mark),
    post: (posting) => post(posting),
    replace: async (ts, posting) => {
      const { thread, message, budgetMs } = posting;
      try {
        await patiently(budgetMs, () => slack.update({ channel: thread.channel, ts }, message));
      } catch (error) {
        if (!(error instanceof SlackCallError) || !gone.has(error.code)) throw error;
        await post({ ...posting, doubtful: false }, ts);
      }
    },
  };
}

/** The same place in the answer to the same message. */
function isSame(mark: Partial<TaskMark> | undefined, wanted: TaskMark): boolean {
  return mark?.request_id === wanted.request_id && (mark.part ?? 1) === (wanted.part ?? 1);
}
