import { ZoneError } from "@crosszone/contracts";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { atMost } from "./at-most.ts";
import type { VerificationDeps } from "./deps.ts";
import type { InboxWatch } from "./inbox/inbox-work.ts";
import { createInboxWorker } from "./inbox/inbox-worker.ts";
import type { AskRecord, KeptAnswer } from "./inbox/inbox.ts";
import { errorFields } from "./observation/error-fields.ts";
import type { EdgeObserver } from "./observation/observe-edge.ts";
import type { PolicyObserver } from "./observation/observe-policies.ts";
import { traceJudgement } from "./observation/trace-judgement.ts";
import { traceRecord } from "./observation/trace-record.ts";
import type { Policies } from "./policies/create-policies.ts";
import { createGate } from "./policies/gate.ts";
import { createAskFlow, type AskFlowDeps } from "./tasks/ask-flow.ts";
import { createNoticeFlow, createOwe } from "./tasks/notices.ts";
import { createStopFlow } from "./tasks/stop-flow.ts";
import { answerOf } from "./tasks/task-outcome.ts";

/** What the workers share with the rest of the app: the observed ports, and what is made once Slack has said who the app is. */
export interface WorkerParts extends Pick<
  AskFlowDeps,
  "identity" | "slack" | "zone" | "tokens" | "running" | "session" | "observe"
> {
  readonly policies: Policies;
  readonly seen: EdgeObserver;
  readonly policySeen: PolicyObserver;
  readonly inboxSeen: InboxWatch;
  readonly tracer: Tracer;
}

export interface Workers {
  /** Looks for work now. Call it when a record was accepted. */
  readonly wake: () => void;
  /** Takes nothing more, lets what was taken be worked on for `graceMs`, then leaves the rest to the next process. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Stops may not wait behind questions, nor what is turned away or owed, so they have workers of their own. */
const stopWorkers = 4;
const turnAwayWorkers = 4;
const noticeWorkers = 20;

/** Longest that a stop waits at its end for what was told to leave, and for calls that nobody waits for, milliseconds. */
const lastCallsMs = 2_000;

/** Works through the inbox: each record is judged, and what is allowed is answered, stopped or turned away. */
export function startWorkers(
  { inbox, threads, clock, newId, limits }: Pick<VerificationDeps, "inbox" | "threads" | "clock" | "newId" | "limits">,
  parts: WorkerParts,
): Workers {
  const { policies, seen, policySeen, inboxSeen, tracer, ...shared } = parts;
  const { slack, running } = shared;
  const unawaited = new Set<Promise<void>>();
  const background = (work: Promise<void>): void => {
    const kept = work.finally(() => unawaited.delete(kept));
    unawaited.add(kept);
  };
  const owe = createOwe({ inbox, newId }, () => worker.wake());
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
  const { concurrency, deliveryBudgetMs, leaseMs } = limits;
  const forFlows = { ...shared, inbox, clock, background };
  const ask = createAskFlow({ ...forFlows, admitFiles, times: limits });
  const stop = createStopFlow({ ...forFlows, owe, onStop: seen.stopRequested });
  const turnAway = guard<"turned_away">(async () => undefined);
  const notice = traceRecord(
    tracer,
    createNoticeFlow({
      slack,
      clock,
      leaving: running.leaving,
      budgetMs: deliveryBudgetMs,
      onNoticeLost: policySeen.noticeLost,
    }),
  );
  const lastAnswer = ({ correlation_id }: AskRecord): KeptAnswer =>
    answerOf({ state: "failed", error: new ZoneError("internal") }, correlation_id);
  const worker = createInboxWorker({
    inbox,
    leaseMs,
    work: {
      ask: { concurrency, handle: guard(ask), lastAnswer },
      stop: { concurrency: stopWorkers, handle: guard(stop) },
      turned_away: { concurrency: turnAwayWorkers, handle: turnAway },
      notice: { concurrency: noticeWorkers, handle: notice },
    },
    watch: inboxSeen,
    reasonOf: (error) => errorFields(error).kind,
  });
  worker.wake();

  const idle = async (): Promise<unknown> => worker.idle().then(() => Promise.all(unawaited));

  return {
    wake: worker.wake,
    stop: async (graceMs) => {
      worker.pause();
      await atMost(graceMs, idle(), clock);
      running.leaveAll();
      await atMost(lastCallsMs, idle(), clock);
      await worker.letGo();
    },
  };
}
