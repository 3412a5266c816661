import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { UnanswerableError } from "../inbox/endings.ts";
import type { InboxRecord, LeasedRecord } from "../inbox/records.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { PolicySource } from "../policy/access-policy.ts";
import type { Judgment } from "../policy/pipeline.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import { traceJudgment, traceWork } from "../tracing/trace-work.ts";
import { createFailedRunFlow, type WatchFailedRun } from "./failed-runs.ts";
import { createGate, type Flow } from "./gate.ts";
import type { MessageEnds } from "./message-ends.ts";
import { createNoticeFlow, type EnqueueNotice } from "./notices.ts";
import { createQuestionFlow, type QuestionFlowDeps } from "./questions/question-flow.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { type SessionStatus, statusTimeoutMs } from "../workspaces/session-status.ts";
import type { RunningTasks } from "./tasks/running-tasks.ts";

interface StopFlowDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly running: RunningTasks;
  readonly session: SessionStatus;
  readonly enqueueNotice: EnqueueNotice;
  readonly emit: QuestionFlowDeps["emit"];
}

/**
 * Makes the flow that stops what a person wants stopped: the running tasks and the questions queued behind them. Each one's own message
 * says that it was stopped. A written `stop` gets a reply only if there was nothing to stop. The reply is enqueued rather than awaited, so
 * that the next stop does not wait.
 */
function createStopFlow(deps: StopFlowDeps): (leased: LeasedRecord<"stop">) => Promise<void> {
  const { inbox, clock, running, session, enqueueNotice, emit } = deps;
  return async ({ record }) => {
    const { team_id, channel, thread_ts, whole_channel, written } = record;
    const { correlation_id, request_id, user_id, traceparent } = record;
    const target = { team_id, channel, ...(!whole_channel && { thread_ts }) };
    // Marked first, so that a question that starts now, or a process that works on one, finds the mark.
    const stopped = await inbox.stop(target, record);
    running.stop(target);
    const ids = { correlation_id, request_id, traceparent };
    emit("stop_requested", { ...ids, channel, thread_ts, user_id, stopped });
    if (stopped > 0) return;
    await atMost(statusTimeoutMs, session.idle(record), clock);
    if (written) await enqueueNotice(record, { to: "thread", text: "Nothing is running here." });
  };
}

export interface FlowsDeps extends Pick<
  QuestionFlowDeps,
  "inbox" | "clock" | "zone" | "running" | "emit" | "background" | "streamPace" | "times" | "fileRules"
> {
  readonly workspaces: Pick<Workspaces, "find">;
  readonly threads: ThreadStore;
  /** Has the agents of channels. */
  readonly policy: Pick<PolicySource, "current">;
  readonly enqueueNotice: EnqueueNotice;
  readonly watchFailedRun: WatchFailedRun;
  readonly tracer: Tracer;
  /** Stores what became of messages. */
  readonly messages?: Pick<MessageEnds, "judged">;
}

/** The flows of one workspace, by kind of record. */
type Flows = { readonly [K in InboxRecord["kind"]]: Flow<K> };

/**
 * Returns a function that makes the flow for a kind of record. The flow passes each record to its workspace. A record of a workspace that
 * has removed the app ends as unanswerable, because its requester can't be notified.
 */
export function createFlows(deps: FlowsDeps): <K extends InboxRecord["kind"]>(kind: K) => Flow<K> {
  const flows = new WeakMap<WorkspaceContext, Flows>();
  return <K extends InboxRecord["kind"]>(kind: K): Flow<K> =>
    async (leased, lease) => {
      const context = await deps.workspaces.find(leased.record);
      if (context === undefined) throw new UnanswerableError("the workspace has removed the app");
      const flow: Flow<K> = flows.getOrInsertComputed(context, () => flowsOf(context, deps))[kind];
      await flow(leased, lease);
    };
}

function flowsOf(context: WorkspaceContext, deps: FlowsDeps): Flows {
  const { threads, clock, times, running, policy, enqueueNotice, emit, tracer, messages } = deps;
  const { slack, policies } = context;
  const judging =
    <Record extends InboxRecord>(judge: (record: Record) => Promise<Judgment>) =>
    async (record: Record): Promise<Judgment> => {
      const judgment = await traceJudgment(tracer, () => judge(record));
      messages?.judged(record, judgment);
      return judgment;
    };
  const gate = createGate({
    judge: judging(policies.inFlow),
    judgeRetry: judging(policies.onRetry),
    judgeFiles: judging(policies.ofFiles),
    slack,
    threads,
    clock,
    enqueueNotice,
  });
  const traced =
    <K extends InboxRecord["kind"]>(flow: Flow<K>): Flow<K> =>
    (leased, lease) =>
      traceWork(tracer, { ...leased.record, attempt: leased.attempt }, () => flow(leased, lease));
  const notice = createNoticeFlow({
    slack,
    clock,
    leaving: running.leaving,
    budgetMs: times.deliveryBudgetMs,
    onNoticeLost: (failure, { correlation_id, request_id }) =>
      emit("notice_lost", { correlation_id, request_id, operation: "chat.postEphemeral", failure }),
  });
  const question = createQuestionFlow({
    ...deps,
    ...context,
    admitFiles: gate.admitFiles,
    agentOfChannel: (channel) => policy.current().channel_agents.get(channel),
  });
  return {
    ask: traced(gate.guard(question)),
    stop: traced(gate.guard(createStopFlow({ ...deps, ...context }))),
    turned_away: traced(gate.guard<"turned_away">(async () => undefined)),
    notice: traced(notice),
    failed_run: createFailedRunFlow({
      ...deps,
      ...context,
      leaving: running.leaving,
      mayAnswer: async (record) => (await policies.onRetry(record)).denial === undefined,
    }),
  };
}
