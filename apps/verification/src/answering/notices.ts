import { retry } from "@crosszone/service-kit/timing";
import type { Inbox } from "../inbox/inbox.ts";
import { headOf, type NoticeRecord, type Question } from "../inbox/records.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import type { ZoneParts } from "../workspaces/zone-parts.ts";
import { createMarkedMessages } from "./posting/marked-messages.ts";
import { concernOf } from "./posting/refusals.ts";
import { isRefusedForGood, slackRetryAfter } from "./posting/send-once.ts";
import { type Answering, directMessages, type EnqueueNotice, type Flow } from "./questions/attempt.ts";

interface QueuedNoticeDeps extends Pick<ZoneParts, "inbox" | "clock"> {
  readonly workspaces: { readonly find: Workspaces["find"] };
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

/** Makes a function that stores notices in the inbox. */
export function createEnqueueNotice(inbox: Inbox, newId: () => string): EnqueueNotice {
  return async (record, { text, to, topic = "notice" }) => {
    const head = { ...headOf(record), request_id: newId(), claims: [`${topic} ${record.request_id}`] };
    await inbox.accept({ ...head, kind: "notice", text, to });
  };
}

/**
 * Makes the flow that posts notices. A notice in a thread is posted exactly once. An ephemeral notice can't be found again, so it can
 * appear twice if Slack's response is lost.
 */
export function createNoticeFlow(answering: Answering): Flow<"notice"> {
  const { workspace, clock, limits, running, emit } = answering;
  const { slack } = workspace;
  const { DELIVERY_BUDGET_MS: budgetMs } = limits;
  return async ({ record, attempt }, lease) => {
    const signal = AbortSignal.any([lease, running.leaving]);
    signal.throwIfAborted();
    const { text, correlation_id, request_id } = record;
    const message = { text, mark: { request_id, correlation_id, state: "done" as const } };
    const retrying = { budgetMs, firstMs: 1_000, longestMs: 10_000, clock, signal, retryAfter: slackRetryAfter };
    try {
      if (record.to === "person") await retry(() => slack.tell(record, text), retrying);
      else {
        const messages = createMarkedMessages({ slack, clock, thread: record, leave: signal });
        await messages.post({ message, budgetMs, doubtful: attempt > 1 });
      }
    } catch (failure) {
      if (!isRefusedForGood(failure)) throw failure;
      const isTold = concernOf(failure) === "place" && (await tellDirectly(record, attempt, signal));
      if (!isTold) emit("notice_lost", { correlation_id, request_id, operation: "chat.postEphemeral", failure });
    }
  };
  /** Sends a notice, which Slack refuses in its place, as a direct message. Resolves with false if that is refused too. */
  async function tellDirectly(record: NoticeRecord, attempt: number, signal: AbortSignal): Promise<boolean> {
    const { correlation_id, request_id, channel } = record;
    const text = `About your message in <#${channel}>: ${record.text}`;
    const message = { text, mark: { request_id, correlation_id, state: "done" as const } };
    try {
      const messages = await directMessages(answering, record, signal);
      await messages?.post({ message, budgetMs, doubtful: attempt > 1 });
      return messages !== undefined;
    } catch (failure) {
      if (!isRefusedForGood(failure)) throw failure;
      return false;
    }
  }
}
