import type { Inbox, Question } from "../inbox/inbox.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";
import type { Clock } from "../time/clock.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import type { EnqueueNotice } from "./notices.ts";

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

const text = "Your question is queued. In a thread, I answer one question at a time.";

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
    await enqueueNotice(record, { to: "person", topic: "queued", text });
  }

  return (record) => notifyIfQueued(record).catch(() => undefined);
}
