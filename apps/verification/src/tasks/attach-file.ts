import type { SlackApi } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { timersFirst } from "../timers-first.ts";
import type { MarkedMessagesOptions } from "./marked-messages.ts";
import { retrying } from "./retry.ts";
import { slackRetryAfter } from "./retry-after.ts";
import { searchThread } from "./search-thread.ts";

export interface AttachFileDeps extends Omit<MarkedMessagesOptions, "slack"> {
  readonly slack: Pick<SlackApi, "upload" | "replies">;
}

export interface Attachment {
  /** A file has no mark: it is found again by its name among what came after the question. */
  readonly filename: string;
  readonly content: string | Uint8Array;
  /** Whether it may be there already. */
  readonly doubtful: boolean;
}

/** Shorter than for a message: the person waits for the answer meanwhile, and can do without the file. */
const budgetMs = 30_000;

/** Uploads a file into the thread, unless it is there. Rejects with the last `SlackCallError`. */
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
  const uploading = retrying(upload, {
    budgetMs,
    clock,
    signal: leave,
    firstMs: 1_000,
    longestMs: 10_000,
    retryAfter: slackRetryAfter,
    ...(onRetry && { onRetry }),
  });
  await uploading.catch(async (error: unknown) => {
    // The last try may have been the one that Slack did: nobody shall be told that the file is missing beside the file.
    if (!search || leave.aborted || !(await isThere().catch(() => false))) throw error;
  });
}
