import type { Clock } from "../clock.ts";
import type { Inbox, InboxEntry, InboxRecord, NoticeRecord } from "../inbox/inbox.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { createMarkedMessages } from "./marked-messages.ts";
import { isRefusedForGood } from "./refused-for-good.ts";
import { retrying } from "./retry.ts";
import { slackRetryAfter } from "./retry-after.ts";

/** The topic of a notice. */
export type NoticeTopic = "notice" | "queued";

/** Stores a notice in the inbox. Of several notices with the same topic for one record, only the first is stored. */
export type Owe = (
  record: InboxRecord,
  notice: Pick<NoticeRecord, "text" | "to"> & { readonly topic?: NoticeTopic },
) => Promise<void>;

/** Puts what is owed into the inbox; `onOwed` is told that there is work. */
export function createOwe(
  { inbox, newId }: { readonly inbox: Pick<Inbox, "accept">; readonly newId: () => string },
  onOwed: () => void,
): Owe {
  return async (record, { text, to, topic = "notice" }) => {
    const { correlation_id, traceparent, team_id, org_id, user_id, teams, author_teams, in_thread, received_at } =
      record;
    const { channel, thread_ts } = record;
    await inbox.accept({
      kind: "notice",
      request_id: newId(),
      correlation_id,
      ...(traceparent !== undefined && { traceparent }),
      ...(org_id !== undefined && { org_id }),
      claims: [`${topic} ${record.request_id}`],
      team_id,
      user_id,
      teams,
      author_teams,
      channel,
      thread_ts,
      in_thread,
      received_at,
      text,
      to,
    });
    onOwed();
  };
}

export interface NoticeFlowDeps {
  readonly slack: Pick<SlackApi, "tell" | "post" | "update" | "replies">;
  readonly clock: Clock;
  /** Aborts when the process stops, with the error that hands the record back. */
  readonly leaving: AbortSignal;
  /** How long an attempt may take, milliseconds. */
  readonly budgetMs: number;
  /** Told when Slack does not let somebody be told. */
  readonly onNoticeLost: (error: unknown, record: NoticeRecord) => void;
}

/**
 * Says what is owed. In a thread once; to a person alone once as far as Slack lets it be known, for what only one person sees cannot
 * be found again.
 */
export function createNoticeFlow(
  deps: NoticeFlowDeps,
): (entry: InboxEntry<"notice">, lease: AbortSignal) => Promise<void> {
  const { slack, clock, leaving, budgetMs, onNoticeLost } = deps;
  return async ({ record, attempt }, lease) => {
    const leave = AbortSignal.any([lease, leaving]);
    leave.throwIfAborted();
    try {
      await (record.to === "thread" ? post(record) : tell(record));
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      onNoticeLost(error, record);
    }

    async function post({ text, request_id, correlation_id }: NoticeRecord): Promise<void> {
      const message = { text, mark: { request_id, correlation_id, state: "done" as const } };
      await createMarkedMessages({ slack, clock, thread: record, leave }).post({
        message,
        budgetMs,
        doubtful: attempt > 1,
      });
    }

    async function tell({ text }: NoticeRecord): Promise<void> {
      await retrying(() => slack.tell(record, text), {
        budgetMs,
        firstMs: 1_000,
        longestMs: 10_000,
        clock,
        signal: leave,
        retryAfter: slackRetryAfter,
      });
    }
  };
}
