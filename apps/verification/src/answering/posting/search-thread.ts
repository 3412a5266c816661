import type { SlackApi, SlackMessage, SlackThread } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";

export interface SearchedThread extends SlackThread {
  /** Slack's timestamp of the question: the search covers only later messages. Without it, the whole thread is searched. */
  readonly after?: string;
}

const pageSize = 200;

/**
 * Searches a thread for a message of the app, page by page. Rejects when Slack is unavailable, so that a message is not mistaken for
 * missing. Where the app lacks permission to read, it finds nothing: a duplicate answer is better than none.
 */
export async function searchThread(
  slack: Pick<SlackApi, "replies">,
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
