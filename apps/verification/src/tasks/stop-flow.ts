import { atMost } from "../at-most.ts";
import type { Clock } from "../clock.ts";
import type { Inbox, InboxEntry, StopRecord } from "../inbox/inbox.ts";
import type { Owe } from "./notices.ts";
import type { RunningTasks } from "./running-tasks.ts";
import { statusPatienceMs, type SessionStatus } from "./session-status.ts";

export interface StopFlowDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly running: RunningTasks;
  readonly session: SessionStatus;
  readonly owe: Owe;
  readonly onStop: (record: StopRecord, stopped: number) => void;
}

/**
 * Stops what a person wants stopped: the tasks that run, and the questions that wait behind them. Each of them says so in its own
 * message; only when there was nothing to stop, a written `stop` gets an answer of its own. That answer is owed, not waited for: the
 * next stop may not wait behind it.
 */
export function createStopFlow(deps: StopFlowDeps): (entry: InboxEntry<"stop">) => Promise<void> {
  const { inbox, clock, running, session, owe, onStop } = deps;
  return async ({ record }) => {
    const { team_id, channel, thread_ts, whole_channel, written } = record;
    const target = { team_id, channel, ...(!whole_channel && { thread_ts }) };
    // Marked first: a question that starts in between finds the mark, and so does another process that works on one.
    const stopped = await inbox.stop(target, record);
    running.stop(target);
    onStop(record, stopped);
    if (stopped > 0) return;
    await atMost(statusPatienceMs, session.idle(record), clock);
    if (written) await owe(record, { to: "thread", text: "Nothing is running here that I could stop." });
  };
}
