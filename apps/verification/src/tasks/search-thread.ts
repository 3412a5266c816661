import type { SlackApi, SlackMessage, SlackThread } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";

export interface SearchedThread extends SlackThread {
  /** Slack's timestamp of the message that is answered: what is looked for came after it. The whole thread is searched without it. */
  readonly after?: string | undefined;
}

const pageSize = 200;

/**
 * Looks for a message of ours in a thread, page by page. Rejects when Slack cannot say now, so that nothing is taken for missing
 * then; but where the app may not read, nobody ever finds anything, and an answer that may come twice is better than none.
 */
export async function searchThread(
  slack: Pick<SlackApi, "replies">,
  { channel, thread_ts, after }: SearchedThread,
  isIt: (message: SlackMessage) => boolean,
): Promise<SlackMessage | undefined> {
  const range = { channel, thread_ts, limit: pageSize, ...(after !== undefined && { oldest: after }) };
  let cursor: string | undefined;
  try {
    do {
      const page = await slack.replies({ ...range, ...(cursor !== undefined && { cursor }) });
      const found = page.messages.find(isIt);
      if (found !== undefined) return found;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  } catch (error) {
    if (!(error instanceof SlackCallError) || error.failure !== "refused") throw error;
  }
  return undefined;
}
