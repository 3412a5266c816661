import { type Clock, retry } from "@crosszone/service-kit/timing";
import type { Inbox } from "../inbox/inbox.ts";
import type { InboxRecord, LeasedRecord, NoticeRecord, Question, RecordHead } from "../inbox/records.ts";
import type { SlackApi, WorkspaceId } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import { createMarkedMessages } from "./posting/marked-messages.ts";
import { isRefusedForGood, slackRetryAfter } from "./posting/slack-failures.ts";

export interface QueuedNoticeDeps {
  readonly workspaces: {
    readonly find: (workspace: WorkspaceId) => Promise<Pick<WorkspaceContext, "policies"> | undefined>;
  };
  readonly inbox: Pick<Inbox, "isWaiting">;
  readonly clock: Pick<Clock, "sleep">;
  readonly enqueueNotice: EnqueueNotice;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
}

/** A question that begins within this time is not reported as queued, milliseconds. */
const quietMs = 1_000;

const queuedText = "Your question is queued. In a thread, I answer one question at a time.";

/**
 * Returns a function that waits a second and then tells the requester, once, that the question is still queued. A requester whom the policy
 * denies gets only the denial, when a worker processes the question. Never rejects: the notice is optional.
 */
export function createQueuedNotice(deps: QueuedNoticeDeps): (record: Question) => Promise<void> {
  const { workspaces, inbox, clock, enqueueNotice, stopping } = deps;

  async function notifyIfQueued(record: Question): Promise<void> {
    await clock.sleep(quietMs, stopping);
    if (!(await inbox.isWaiting(record.request_id))) return;
    const context = await workspaces.find(record);
    if (context === undefined || (await context.policies.onRetry(record)).denial !== undefined) return;
    await enqueueNotice(record, { to: "person", topic: "queued", text: queuedText });
  }

  return (record) => notifyIfQueued(record).catch(() => undefined);
}

/** The topic of a notice. */
export type NoticeTopic = "notice" | "queued";

/** Stores a notice in the inbox. Of several notices with the same topic for one record, only the first is stored. */
export type EnqueueNotice = (
  record: InboxRecord,
  notice: Pick<NoticeRecord, "text" | "to"> & { readonly topic?: NoticeTopic },
) => Promise<void>;

/** Makes a function that stores notices in the inbox. */
export function createEnqueueNotice({
  inbox,
  newId,
}: {
  readonly inbox: Pick<Inbox, "accept">;
  readonly newId: () => string;
}): EnqueueNotice {
  return async (record, { text, to, topic = "notice" }) => {
    const head = { ...headOf(record), request_id: newId(), claims: [`${topic} ${record.request_id}`] };
    await inbox.accept({ ...head, kind: "notice", text, to });
  };
}

/** Returns the part of a record that records which follow from it have too. */
export function headOf(record: RecordHead): Omit<RecordHead, "request_id" | "claims"> {
  const { correlation_id, team_id, user_id, teams, author_teams, channel, thread_ts, in_thread, received_at } = record;
  const { traceparent, org_id } = record;
  const optional = { traceparent, org_id };
  const place = { team_id, channel, thread_ts, in_thread };
  return { correlation_id, ...optional, ...place, user_id, teams, author_teams, received_at };
}

export interface NoticeFlowDeps {
  readonly slack: Pick<SlackApi, "tell" | "post" | "update" | "replies" | "stopStream">;
  readonly clock: Clock;
  /** Aborts when the process stops, with the error that releases the record. */
  readonly leaving: AbortSignal;
  /** Timeout of one attempt, milliseconds. */
  readonly budgetMs: number;
  /** Called when Slack does not deliver a notice. */
  readonly onNoticeLost: (error: unknown, record: NoticeRecord) => void;
}

/**
 * Makes the flow that posts notices. A notice in a thread is posted exactly once. An ephemeral notice can't be found again, so it can
 * appear twice if Slack's response is lost.
 */
export function createNoticeFlow(
  deps: NoticeFlowDeps,
): (leased: LeasedRecord<"notice">, lease: AbortSignal) => Promise<void> {
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
      await retry(() => slack.tell(record, text), {
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
