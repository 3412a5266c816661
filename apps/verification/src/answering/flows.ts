import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationDeps } from "../deps.ts";
import { UnanswerableError } from "../inbox/endings.ts";
import type { InboxWork } from "../inbox/inbox-work.ts";
import type { InboxRecord } from "../inbox/inbox.ts";
import type { EdgeObserver } from "../ops/observers/observe-edge.ts";
import type { PolicyObserver } from "../ops/observers/observe-policies.ts";
import { traceJudgement } from "../ops/observers/trace-judgement.ts";
import { traceRecord } from "../ops/observers/trace-record.ts";
import { createGate } from "./gate.ts";
import { createAskFlow, type AskFlowDeps } from "./questions/question-flow.ts";
import { createNoticeFlow, type Owe } from "./notices.ts";
import { createStopFlow } from "./stop-flow.ts";
import type { Desk } from "../workspaces/workspace-context.ts";
import type { Desks } from "../workspaces/workspaces.ts";

export interface DeskFlowsParts
  extends
    Pick<VerificationDeps, "inbox" | "threads" | "clock" | "limits" | "policy" | "streamPace">,
    Pick<AskFlowDeps, "zone" | "running" | "observe" | "background"> {
  readonly desks: Pick<Desks, "of">;
  readonly owe: Owe;
  readonly seen: EdgeObserver;
  readonly policySeen: PolicyObserver;
  readonly tracer: Tracer;
}

type Flow<K extends InboxRecord["kind"]> = InboxWork<K>["handle"];

/** The flows of one desk, by kind of record. */
type Flows = { readonly [K in InboxRecord["kind"]]: Flow<K> };

/**
 * Returns a function that makes the handler for a kind of record. The handler passes each record to its workspace's desk. A record of a
 * workspace that has removed the app ends as unanswerable, because its requester can't be notified.
 */
export function createDeskFlows(parts: DeskFlowsParts): <K extends InboxRecord["kind"]>(kind: K) => Flow<K> {
  const flows = new WeakMap<Desk, Flows>();
  return <K extends InboxRecord["kind"]>(kind: K): Flow<K> =>
    async (entry, lease) => {
      const desk = await parts.desks.of(entry.record);
      if (desk === undefined) throw new UnanswerableError("the workspace has removed the app");
      const flow: Flow<K> = flows.getOrInsertComputed(desk, () => flowsAt(desk, parts))[kind];
      await flow(entry, lease);
    };
}

function flowsAt(desk: Desk, parts: DeskFlowsParts): Flows {
  const { threads, clock, limits, running, owe, seen, policySeen, tracer } = parts;
  const { slack, policies } = desk;
  const gate = createGate({
    judge: traceJudgement(tracer, policies.inFlow),
    judgeAgain: traceJudgement(tracer, policies.again),
    judgeFiles: traceJudgement(tracer, policies.ofFiles),
    slack,
    threads,
    clock,
    owe,
  });
  const { admitFiles } = gate;
  const guard: typeof gate.guard = (flow) => traceRecord(tracer, gate.guard(flow));
  const notice = createNoticeFlow({
    slack,
    clock,
    leaving: running.leaving,
    budgetMs: limits.deliveryBudgetMs,
    onNoticeLost: policySeen.noticeLost,
  });
  const agentOfChannel = (channel: string) => parts.policy.current().channel_agents.get(channel);
  const forFlows = { ...parts, ...desk };
  return {
    ask: guard(createAskFlow({ ...forFlows, admitFiles, agentOfChannel, fileRules: limits.files, times: limits })),
    stop: guard(createStopFlow({ ...forFlows, onStop: seen.stopRequested })),
    turned_away: guard<"turned_away">(async () => undefined),
    notice: traceRecord(tracer, notice),
  };
}
