import type { Inbox } from "../inbox/inbox.ts";
import type { LeasedRecord, StopRecord } from "../inbox/records.ts";
import { atMost, type Clock } from "../time/clock.ts";
import { type SessionStatus, statusTimeoutMs } from "../workspaces/session-status.ts";
import type { EnqueueNotice } from "./notices.ts";
import type { RunningTasks } from "./tasks/running-tasks.ts";

export interface StopFlowDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly running: RunningTasks;
  readonly session: SessionStatus;
  readonly enqueueNotice: EnqueueNotice;
  readonly onStop: (record: StopRecord, stopped: number) => void;
}

/**
 * Makes the flow that stops what a person wants stopped: the running tasks and the questions queued behind them. Each one's own message
 * says that it was stopped. A written `stop` gets a reply only if there was nothing to stop. The reply is enqueued rather than awaited, so
 * that the next stop does not wait.
 */
export function createStopFlow(deps: StopFlowDeps): (leased: LeasedRecord<"stop">) => Promise<void> {
  const { inbox, clock, running, session, enqueueNotice, onStop } = deps;
  return async ({ record }) => {
    const { team_id, channel, thread_ts, whole_channel, written } = record;
    const target = { team_id, channel, ...(!whole_channel && { thread_ts }) };
    // Marked first, so that a question that starts now, or a process that works on one, finds the mark.
    const stopped = await inbox.stop(target, record);
    running.stop(target);
    onStop(record, stopped);
    if (stopped > 0) return;
    await atMost(statusTimeoutMs, session.idle(record), clock);
    if (written) await enqueueNotice(record, { to: "thread", text: "Nothing is running here." });
  };
}
