import { retry } from "@crosszone/service-kit/timing";
import type { SlackApi } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { timersFirst } from "../../time/timers-first.ts";
import type { MarkedMessagesOptions } from "./marked-messages.ts";
import { slackRetryAfter } from "./slack-failures.ts";
import { searchThread } from "./search-thread.ts";

export interface AttachFileDeps extends Omit<MarkedMessagesOptions, "slack"> {
  readonly slack: Pick<SlackApi, "upload" | "replies">;
}

export interface Attachment {
  /** Files carry no mark; an uploaded file is found by its name among the messages after the question. */
  readonly filename: string;
  readonly content: string | Uint8Array;
  /** True when the file may already be in the thread. */
  readonly doubtful: boolean;
}

/** Shorter than for a message: the requester is waiting and can do without the file. */
const budgetMs = 30_000;

/** Uploads a file into the thread, unless it is already there. Rejects with the last `SlackCallError`. */
export async function attachFile(
  { slack, clock, thread, leave, onRetry }: AttachFileDeps,
  { filename, content, doubtful }: Attachment,
): Promise<void> {
  let search = doubtful;
  const isThere = async (): Promise<boolean> =>
    (await searchThread(slack, thread, ({ files }) => files.some(({ name }) => name === filename))) !== undefined;
  const upload = async (): Promise<void> => {
    if (search && (await isThere())) return;
    await timersFirst();
    leave.throwIfAborted();
    try {
      await slack.upload(thread, { filename, content });
    } catch (error) {
      search ||= error instanceof SlackCallError && error.failure === "unavailable";
      throw error;
    }
  };
  const uploading = retry(upload, {
    budgetMs,
    clock,
    signal: leave,
    firstMs: 1_000,
    longestMs: 10_000,
    retryAfter: slackRetryAfter,
    onRetry,
  });
  await uploading.catch(async (error: unknown) => {
    // Slack may have accepted the last attempt: check before reporting a file as missing that is in the thread.
    if (!search || leave.aborted || !(await isThere().catch(() => false))) throw error;
  });
}
