import { setTimeout } from "node:timers/promises";
import { type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { SlackApi, SlackMessage, ThreadOrChannel } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";

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
    retrying(options, pauses),
  );
}

/** Returns retry options for calls that post. */
export function retrying(
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
 * missing. Where the app lacks permission to read, it finds nothing: a duplicate answer is better than none.
 */
export async function searchThread(
  slack: SlackApi,
  { channel, thread_ts, after }: SearchedThread,
  isIt: (message: SlackMessage) => boolean,
): Promise<SlackMessage | undefined> {
  const range = { channel, thread_ts, limit: pageSize, oldest: after };
  let cursor: string | undefined;
  try {
    do {
      const page = await slack.replies({ ...range, cursor });
      const found = page.messages.find(isIt);
      if (found !== undefined) return found;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  } catch (error) {
    if (!(error instanceof SlackCallError) || error.failure !== "refused") throw error;
  }
  return undefined;
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
