import { setTimeout } from "node:timers/promises";
import { type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import { isOwnMessage } from "../slack/reading/read-message.ts";
import {
  type MessagePlace,
  pagesOf,
  type SlackApi,
  type SlackIdentity,
  type SlackMessage,
  type ThreadOrChannel,
} from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";

/** Refusals that end when an operator fixes or reinstalls the app. They count as outages, so pending messages wait. */
const mendable: ReadonlySet<string> = new Set([
  "access_denied",
  "account_inactive",
  "bad_client_secret",
  "ekm_access_denied",
  "invalid_auth",
  "invalid_client_id",
  "invalid_refresh_token",
  "missing_scope",
  "not_authed",
  "not_installed",
  "org_login_required",
  "token_expired",
  "token_revoked",
]);

/** Refusals for a thread whose first message was deleted. */
const gone: ReadonlySet<string> = new Set(["posted_elsewhere", "invalid_thread_ts", "thread_not_found"]);

/** Returns true if Slack will refuse this call on every retry, for example in an archived channel. */
export function isRefusedForGood(error: unknown): error is SlackCallError {
  return error instanceof SlackCallError && error.failure === "refused" && !mendable.has(error.code);
}

/** Returns the wait before a Slack call is retried, milliseconds, as Slack requests; undefined if the error is not retryable. */
export function slackRetryAfter(error: unknown): number | undefined {
  if (!(error instanceof SlackCallError) || error.failure === "refused") return undefined;
  return error.retryAfterMs ?? 0;
}

/** How calls that post are retried. */
interface PostRetry {
  readonly clock: Clock;
  /** Aborts when another process must continue: nothing is sent from then on. */
  readonly leave: AbortSignal;
  readonly onRetry?: RetryOptions["onRetry"];
}

interface Sending<Sent> {
  readonly budgetMs: number;
  readonly longestMs: number;
  /** True if it may be in the thread already. */
  readonly doubtful: boolean;
  readonly find: () => Promise<Sent | undefined>;
  readonly send: () => Promise<Sent>;
}

/** Sends something that must be in the thread once. Searches for it first wherever an earlier attempt may have succeeded. */
export function sendOnce<Sent>(options: PostRetry, { doubtful, find, send, ...pauses }: Sending<Sent>): Promise<Sent> {
  let search = doubtful;
  return retry(
    async () => {
      const known = search ? await find() : undefined;
      if (known !== undefined) return known;
      await timersFirst();
      options.leave.throwIfAborted();
      try {
        return await send();
      } catch (error) {
        search ||= isUnavailable(error);
        throw error;
      }
    },
    postRetries(options, pauses),
  );
}

/** Returns retry options for calls that post. */
export function postRetries(
  { clock, leave: signal, onRetry }: PostRetry,
  pauses: { readonly budgetMs: number; readonly longestMs: number },
): RetryOptions {
  return { ...pauses, firstMs: 1_000, clock, signal, retryAfter: slackRetryAfter, onRetry };
}

/** Returns true if it is unknown whether a Slack call was done. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof SlackCallError && error.failure === "unavailable";
}

export interface SearchedThread extends ThreadOrChannel {
  /** Slack's timestamp of the question: the search covers only later messages. Without it, the whole thread is searched. */
  readonly after?: string;
}

const pageSize = 200;

/**
 * Searches a thread for a message of the app, page by page. Rejects when Slack is unavailable, so that a message is not mistaken for
 * missing, and when the thread is gone: what was posted to it is in the channel. Where the app lacks permission to read, it finds nothing: a
 * duplicate answer is better than none.
 */
export async function searchThread(
  slack: SlackApi,
  { channel, thread_ts, after }: SearchedThread,
  isIt: (message: SlackMessage) => boolean,
): Promise<SlackMessage | undefined> {
  const range = { channel, thread_ts, limit: pageSize, oldest: after };
  try {
    for await (const { messages } of pagesOf((cursor) => slack.replies({ ...range, cursor }))) {
      const found = messages.find(isIt);
      if (found !== undefined) return found;
    }
  } catch (error) {
    if (!(error instanceof SlackCallError) || error.failure !== "refused" || gone.has(error.code)) throw error;
  }
  return undefined;
}

/** Resolves with a message as Slack has it now; undefined if it was deleted. One with replies stays as a tombstone. Rejects with a `SlackCallError`. */
export async function readNow(
  slack: SlackApi,
  { channel, ts, thread_ts = ts }: MessagePlace & { readonly thread_ts?: string },
): Promise<SlackMessage["raw"] | undefined> {
  try {
    // Slack returns the thread's first message too.
    const { messages } = await slack.replies({ channel, thread_ts, oldest: ts, latest: ts, limit: 2 });
    return messages.find((one) => one.ts === ts && one.raw["subtype"] !== "tombstone")?.raw;
  } catch (error) {
    if (error instanceof SlackCallError && error.code === "thread_not_found") return undefined;
    throw error;
  }
}

/**
 * A wait that takes this much longer than requested means that the process was suspended. Leases are given up earlier than this before
 * their end, milliseconds.
 */
const standstillMs = 100;

/**
 * Resolves when every due timer has run. A suspended process resumes before the timers that end its leases, so await this before
 * irreversible actions. If the process is suspended during this wait, whose timer is due before theirs, the wait repeats.
 */
export async function timersFirst(): Promise<void> {
  let began: number;
  do {
    began = performance.now();
    await setTimeout(1);
  } while (performance.now() - began > standstillMs);
}

/** Refusals that say nothing about the other threads of the channel. */
export const ofOneThread: ReadonlySet<string> = new Set([
  ...gone,
  "cannot_reply_to_message",
  "restricted_action_thread_locked",
]);

const [isArchived, isOutside] = ["the channel is archived", "I am not a member of the channel"];
/** Why the app cannot write in a place, for people. Where any text is refused, it is the place too. */
const places: Readonly<Record<string, string>> = {
  cannot_reply_to_message: "nobody can reply to that message",
  channel_not_found: isOutside,
  is_archived: isArchived,
  is_inactive: isArchived,
  message_limit_exceeded: "the workspace has reached its limit of messages",
  messages_tab_disabled: "messages to this app are turned off",
  no_permission: "I have no permission to write there",
  not_in_channel: isOutside,
  restricted_action_thread_locked: "the thread is locked",
  team_access_not_granted: "the workspace has not given me access",
  user_not_in_channel: "you are not a member of the channel",
};

/**
 * Returns what a permanent refusal concerns; undefined for an error that can pass. `thread`: the message that was answered is gone. `place`:
 * the app cannot write there. `content`, also for an unknown refusal: another form of the same text can pass.
 */
export function concernOf(error: unknown): "thread" | "place" | "content" | undefined {
  if (!isRefusedForGood(error)) return undefined;
  if (gone.has(error.code)) return "thread";
  return error.code in places || error.code.startsWith("restricted_action") ? "place" : "content";
}

/** Returns why the app cannot write in a place, for people. */
export function placeReason(error: unknown): string {
  return (error instanceof SlackCallError && places[error.code]) || "this workspace does not allow it";
}

/**
 * Returns true if a message in a question's thread is a stream that a process started without recording it. A stream has no mark until it
 * ends, and every other message of the app has a mark or a file. Questions of one thread are processed one after the other, so the stream
 * belongs to the current question. There are two exceptions: messages that other software posts with the same bot token, and the stream of
 * a parked question, which the thread's next question adopts when it searches for its own.
 */
export function isOrphan(
  message: SlackMessage,
  { identity, after }: { readonly identity: SlackIdentity; readonly after: string },
): boolean {
  const { ts, mark, files } = message;
  return isOwnMessage(message, identity) && mark === undefined && files.length === 0 && Number(ts) > Number(after);
}

/**
 * What follows a failed append. `wait`: nothing was appended; try again later. `edit`: continue with edits of the same message. `stop`: a
 * person pressed Stop. `leave`: the message cannot be changed.
 */
export type StreamTrouble = "wait" | "edit" | "stop" | "leave";

/** Slack's codes for a message that accepts nothing more from this app. */
const closedMessages: ReadonlySet<string> = new Set(["message_not_found", "message_not_owned_by_app"]);

/** Slack's errors from chat.update or chat.stopStream for a stream that is not live. */
const ended: ReadonlySet<string> = new Set(["message_not_in_streaming_state", "stopped_by_user"]);

/**
 * Returns what follows an error of `chat.appendStream`. After an unknown outcome the same text could be appended twice, so the message is
 * edited instead, as after a refusal of the content. https://docs.slack.dev/reference/methods/chat.appendStream
 */
export function troubleOf(error: unknown): StreamTrouble {
  if (!(error instanceof SlackCallError)) return "edit";
  if (error.failure === "rate_limited") return "wait";
  if (error.code === "stopped_by_user") return "stop";
  return closedMessages.has(error.code) || concernOf(error) === "place" ? "leave" : "edit";
}

/** Returns true if Slack says that the stream has already ended. */
export function isStreamEnded(error: unknown): boolean {
  return error instanceof SlackCallError && ended.has(error.code);
}

/** Returns true if Slack refuses to edit a message because it is a live stream. */
export function isLiveStream(error: unknown): error is SlackCallError {
  return error instanceof SlackCallError && error.code === "streaming_state_conflict";
}
