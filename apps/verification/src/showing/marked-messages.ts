import { type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { MarkedMessage, SlackApi, SlackMessage, TaskMark } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import {
  concernOf,
  isStreamEnded,
  isLiveStream,
  isRefusedForGood,
  isUnavailable,
  postRetries,
  type SearchedThread,
  searchThread,
  sendOnce,
  timersFirst,
  troubleOf,
} from "./send-once.ts";

interface MarkedMessagesOptions {
  readonly slack: SlackApi;
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

export interface Attachment {
  /** Files carry no mark; an uploaded file is found by its name among the messages after the question. */
  readonly filename: string;
  readonly content: string | Uint8Array;
  /** What an image shows, for people who can't see it. */
  readonly altText?: string | undefined;
  /** True when the file may already be in the thread. */
  readonly doubtful: boolean;
}

/** Messages of the app in one thread. Each appears once, however many attempts or processes post it. */
export type MarkedMessages = ReturnType<typeof createMarkedMessages>;

/** Slack errors for a message that can no longer become the answer. */
const gone: ReadonlySet<string> = new Set(["message_not_found", "cant_update_message", "edit_window_closed"]);

/** How long an upload is retried, milliseconds. Shorter than for a message: the requester is waiting and can do without the file. */
const uploadBudgetMs = 30_000;

/**
 * Makes the messages of one thread. A post whose response was lost may have succeeded, so the thread is searched for the message's mark
 * before a retry.
 */
export function createMarkedMessages(options: MarkedMessagesOptions) {
  const { slack, thread, leave } = options;

  function inChannel(): MarkedMessages {
    const { channel, thread_ts, after = thread_ts } = thread;
    return createMarkedMessages({ ...options, thread: { channel, after }, adopts: undefined });
  }

  /** `replaced` is a message with the same mark that is not the one to post. */
  const post = ({ message, budgetMs, doubtful }: Posting, replaced?: string): Promise<Posted> => {
    const posting = sendOnce(options, {
      budgetMs,
      longestMs: 15_000,
      doubtful,
      find: async () => {
        const known = await findMarked(options, message.mark, replaced);
        return known && { ts: known.ts, state: known.mark?.state };
      },
      send: async () => ({ ...(await slack.post(thread, message)), state: message.mark.state }),
    });
    return posting.catch(async (error: unknown) => {
      // An attempt whose response was lost may have landed in the channel: the thread was gone already.
      if (concernOf(error) === "thread") await inChannel().remove(message.mark);
      throw error;
    });
  };

  return {
    /** Returns the message in the thread whose mark has the same place, without retries. Deletes it in the channel if the thread is gone. */
    find: (mark: TaskMark): Promise<SlackMessage | undefined> =>
      findMarked(options, mark).catch(async (error: unknown) => {
        if (concernOf(error) !== "thread") throw error;
        await inChannel().remove(mark);
        return undefined;
      }),
    /** Posts the message, or finds the one that is already in its place. Rejects with the last `SlackCallError`. */
    post: (posting: Posting): Promise<Posted> => post(posting),
    /**
     * Deletes the known message, or those with the mark's place, also in the channel if the thread is gone, unless Slack keeps them. Resolves with
     * false if there is none.
     */
    remove: async (mark: TaskMark, known?: string): Promise<boolean> => {
      const removing = async (): Promise<boolean> => {
        const found = known === undefined ? await findAllMarked(options, mark) : [known];
        leave.throwIfAborted();
        for (const ts of found) await slack.remove({ channel: thread.channel, ts });
        return found.length > 0;
      };
      const pauses = { budgetMs: uploadBudgetMs, longestMs: 15_000 };
      return retry(removing, postRetries(options, pauses)).catch((error: unknown) => {
        if (!isRefusedForGood(error)) throw error;
        return concernOf(error) === "thread" && thread.thread_ts !== undefined ? inChannel().remove(mark) : true;
      });
    },
    /** Edits the message `ts` without retries, for content that may be lost. */
    edit: async (ts: string, message: MarkedMessage): Promise<void> => {
      await timersFirst();
      // Another process with the record may have posted the answer there.
      leave.throwIfAborted();
      await changeMessage(options, ts, { message, session_status: "processing" });
    },
    /** Replaces the message `ts` and ends its stream first. Posts a new message if that one is gone. Resolves with the `ts` of the message. */
    replace: async (ts: string, posting: Posting): Promise<string> => {
      const { message, budgetMs } = posting;
      const change = { message, session_status: "active" } as const;
      try {
        await retry(() => changeMessage(options, ts, change), postRetries(options, { budgetMs, longestMs: 15_000 }));
        return ts;
      } catch (error) {
        if (!(error instanceof SlackCallError) || !gone.has(error.code)) throw error;
        return (await post(posting, ts)).ts;
      }
    },
    /** Uploads a file into the thread, unless it is already there. Rejects with the last `SlackCallError`. */
    attach: async ({ doubtful, ...file }: Attachment): Promise<void> => {
      const find = (): Promise<unknown> =>
        searchThread(slack, thread, ({ files }) => files.some(({ name }) => name === file.filename));
      const send = (): Promise<void> => slack.upload(thread, file);
      const sending = sendOnce<unknown>(options, { budgetMs: uploadBudgetMs, longestMs: 10_000, doubtful, find, send });
      await sending.catch(async (error: unknown) => {
        // Slack may have accepted the last attempt: check before reporting a file as missing that is in the thread.
        const isThere = isUnavailable(error) && !leave.aborted && (await find().catch(() => undefined)) !== undefined;
        if (!isThere) throw error;
      });
    },
  };
}

const hasPlaceOf = (mark: TaskMark, { mark: of }: SlackMessage): boolean =>
  of?.request_id === mark.request_id && (of.part ?? 1) === (mark.part ?? 1);

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
    return hasPlaceOf(mark, message);
  });
  return marked ?? adopted;
}

/** Returns the timestamps of all messages with the place of the mark, because each lost response may have left one; without any, that to adopt. */
async function findAllMarked(
  { slack, thread, adopts }: MarkedMessagesOptions,
  mark: TaskMark,
): Promise<readonly string[]> {
  const [marked, adopted]: [string[], string[]] = [[], []];
  await searchThread(slack, thread, (message) => {
    if (hasPlaceOf(mark, message)) marked.push(message.ts);
    else if ((mark.part ?? 1) === 1 && adopts?.(message) === true) adopted.push(message.ts);
    return false;
  });
  return marked.length > 0 ? marked : adopted.slice(0, 1);
}

/** Edits a message once. A live stream, possibly of a crashed process, is ended first. */
async function changeMessage(
  { slack, thread, leave }: MarkedMessagesOptions,
  ts: string,
  { message, session_status }: { readonly message: MarkedMessage; readonly session_status: "processing" | "active" },
): Promise<void> {
  const place = { channel: thread.channel, ts };
  try {
    await slack.update(place, message);
  } catch (error) {
    if (!isLiveStream(error)) throw error;
    leave.throwIfAborted();
    await slack.stopStream(place, { mark: { ...message.mark, state: "working" }, session_status }).catch(unlessEnded);
    leave.throwIfAborted();
    await slack.update(place, message).catch(unlessLive);
  }
}

/** Ignores refusals to end a stream: Slack ends it by itself within minutes, and the answer is delivered later. */
function unlessEnded(error: unknown): void {
  if (isStreamEnded(error)) return;
  if (!isRefusedForGood(error) || troubleOf(error) === "leave") throw error;
  throw laterOn(error);
}

/** Slack has said that the stream has ended, and that it has not. One of the two comes true soon. */
function unlessLive(error: unknown): never {
  throw isLiveStream(error) ? laterOn(error) : error;
}

const laterOn = (cause: SlackCallError): SlackCallError =>
  new SlackCallError(cause.method, { failure: "unavailable", code: cause.code, cause });

/** Returns a timestamp of Slack, whose clock can be behind, from before a time in unix milliseconds. */
export const tsBefore = (ms: number): string => (ms / 1_000 - 300).toFixed(6);
