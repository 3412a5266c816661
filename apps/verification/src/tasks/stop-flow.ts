import type { Clock } from "../clock.ts";
import type { Inbox, InboxEntry, StopRecord } from "../inbox/inbox.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { createMarkedMessages } from "./marked-messages.ts";
import type { RunningTasks } from "./running-tasks.ts";
import type { SessionStatus } from "./session-status.ts";

export interface StopFlowDeps {
  readonly slack: SlackApi;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly running: RunningTasks;
  readonly session: SessionStatus;
  /** How long the answer may be tried, milliseconds. */
  readonly deliveryBudgetMs: number;
  readonly onStop: (record: StopRecord, stopped: number) => void;
  /** Takes over work that nobody waits for; it never rejects. */
  readonly background: (work: Promise<void>) => void;
  /** Told when a person could not be told that there was nothing to stop. */
  readonly onReplyLost: (error: unknown, record: StopRecord) => void;
}

/**
 * Stops what a person wants stopped: the tasks that run, and the questions that wait behind them. Each of them says so in its own
 * message; only when there was nothing to stop, a written `stop` gets an answer of its own. Done before that answer is posted, for
 * the next stop may not wait behind it.
 */
export function createStopFlow(deps: StopFlowDeps): (entry: InboxEntry<"stop">) => Promise<void> {
  const { slack, inbox, clock, running, session, deliveryBudgetMs, onStop, background, onReplyLost } = deps;
  const messages = createMarkedMessages({ slack, clock });
  return async ({ record, attempt }) => {
    const { team_id, channel, thread_ts, whole_channel, written, request_id, correlation_id } = record;
    const target = { team_id, channel, ...(!whole_channel && { thread_ts }) };
    // Marked first: a question that starts in between finds the mark.
    const stopped = await inbox.stop(target);
    running.stop(target);
    onStop(record, stopped);
    if (stopped > 0) return;
    background(session.idle(record));
    if (!written) return;
    const message = {
      text: "Nothing is running here that I could stop.",
      mark: { request_id, correlation_id, state: "done" as const },
    };
    const reply = messages.post({ thread: record, message, budgetMs: deliveryBudgetMs, doubtful: attempt > 1 });
    background(
      reply.then(
        () => undefined,
        (error: unknown) => onReplyLost(error, record),
      ),
    );
  };
}
