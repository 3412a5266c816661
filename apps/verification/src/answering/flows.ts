import { UnanswerableError } from "../inbox/endings.ts";
import type { InboxRecord } from "../inbox/records.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { PolicySource } from "../policy/access-policy.ts";
import type { PolicyObserver } from "../policy/policies.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import type { AnsweringObserver, Flow } from "./answering-observer.ts";
import { createFailedRunFlow, type WatchFailedRun } from "./failed-runs.ts";
import { createGate } from "./gate.ts";
import { createNoticeFlow, type EnqueueNotice } from "./notices.ts";
import { createQuestionFlow, type QuestionFlowDeps } from "./questions/question-flow.ts";
import { createStopFlow } from "./stop-flow.ts";

export interface FlowsDeps extends Pick<
  QuestionFlowDeps,
  "inbox" | "clock" | "zone" | "running" | "background" | "streamPace" | "times" | "fileRules"
> {
  readonly workspaces: Pick<Workspaces, "find">;
  readonly threads: ThreadStore;
  /** Has the agents of channels. */
  readonly policy: Pick<PolicySource, "current">;
  readonly enqueueNotice: EnqueueNotice;
  readonly watchFailedRun: WatchFailedRun;
  readonly observer: AnsweringObserver;
  readonly policyObserver: Pick<PolicyObserver, "traceJudgment">;
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
  const { threads, clock, times, running, policy, enqueueNotice, observer, policyObserver } = deps;
  const { slack, policies } = context;
  const { traceJudgment } = policyObserver;
  const gate = createGate({
    judge: (record) => traceJudgment(() => policies.inFlow(record)),
    judgeRetry: (record) => traceJudgment(() => policies.onRetry(record)),
    judgeFiles: (record) => traceJudgment(() => policies.ofFiles(record)),
    slack,
    threads,
    clock,
    enqueueNotice,
  });
  const traced =
    <K extends InboxRecord["kind"]>(flow: Flow<K>): Flow<K> =>
    (leased, lease) =>
      observer.traceRecord(leased, () => flow(leased, lease));
  const notice = createNoticeFlow({
    slack,
    clock,
    leaving: running.leaving,
    budgetMs: times.deliveryBudgetMs,
    onNoticeLost: observer.noticeLost,
  });
  const question = createQuestionFlow({
    ...deps,
    ...context,
    admitFiles: gate.admitFiles,
    agentOfChannel: (channel) => policy.current().channel_agents.get(channel),
    observe: observer.question,
  });
  return {
    ask: traced(gate.guard(question)),
    stop: traced(gate.guard(createStopFlow({ ...deps, ...context, onStop: observer.stopRequested }))),
    turned_away: traced(gate.guard<"turned_away">(async () => undefined)),
    notice: traced(notice),
    failed_run: createFailedRunFlow({
      ...deps,
      ...context,
      leaving: running.leaving,
      observe: observer.question,
      mayAnswer: async (record) => (await policies.onRetry(record)).denial === undefined,
    }),
  };
}
