import type { Tracer } from "@crosszone/service-kit/tracing";
import { atMost } from "./at-most.ts";
import type { VerificationDeps } from "./deps.ts";
import { createInboxWorker } from "./inbox/inbox-worker.ts";
import type { EdgeObserver } from "./observation/observe-edge.ts";
import type { PolicyObserver } from "./observation/observe-policies.ts";
import { traceJudgement } from "./observation/trace-judgement.ts";
import { traceRecord } from "./observation/trace-record.ts";
import type { Policies } from "./policies/create-policies.ts";
import { createGate } from "./policies/gate.ts";
import { createAskFlow, type AskFlowDeps } from "./tasks/ask-flow.ts";
import { createNoticeFlow, createOwe } from "./tasks/notices.ts";
import { createStopFlow } from "./tasks/stop-flow.ts";

/** What the workers share with the rest of the app: the observed ports, and what is made once Slack has said who the app is. */
export interface WorkerParts extends Pick<
  AskFlowDeps,
  "identity" | "slack" | "zone" | "tokens" | "running" | "session" | "observe"
> {
  readonly policies: Policies;
  readonly seen: EdgeObserver;
  readonly policySeen: PolicyObserver;
  readonly tracer: Tracer;
}

export interface Workers {
  /** Looks for work now. Call it when a record was accepted. */
  readonly wake: () => void;
  /** Lets what was taken be worked on for `graceMs`, then leaves the rest to the next process. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Stops may not wait behind questions, nor what is turned away or owed, so they have workers of their own. */
const stopWorkers = 4;
const turnAwayWorkers = 4;
const noticeWorkers = 20;

/** Longest that a stop waits at its end for calls that nobody waits for, such as that a task is canceled, milliseconds. */
const lastCallsMs = 2_000;

/** Works through the inbox: each record is judged, and what is allowed is answered, stopped or turned away. */
export function startWorkers(
  { inbox, threads, clock, newId, limits }: Pick<VerificationDeps, "inbox" | "threads" | "clock" | "newId" | "limits">,
  parts: WorkerParts,
): Workers {
  const { policies, seen, policySeen, tracer, ...shared } = parts;
  const { slack, running } = shared;
  const unawaited = new Set<Promise<void>>();
  const background = (work: Promise<void>): void => {
    const kept = work.finally(() => unawaited.delete(kept));
    unawaited.add(kept);
  };
  const owe = createOwe({ inbox, newId }, () => wake());
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
  const { concurrency, deliveryBudgetMs } = limits;
  const onError = seen.inboxFailed;
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
  const workers = [
    createInboxWorker({ inbox, kind: "ask", concurrency, handle: guard(ask), onError }),
    createInboxWorker({ inbox, kind: "stop", concurrency: stopWorkers, handle: guard(stop), onError }),
    createInboxWorker({ inbox, kind: "turned_away", concurrency: turnAwayWorkers, handle: turnAway, onError }),
    createInboxWorker({ inbox, kind: "notice", concurrency: noticeWorkers, handle: notice, onError }),
  ];
  const wake = (): void => workers.forEach((worker) => worker.wake());
  wake();

  const worked = async (): Promise<unknown> => Promise.all(workers.map((worker) => worker.idle()));
  const idle = async (): Promise<unknown> => worked().then(() => Promise.all(unawaited));

  return {
    wake,
    stop: async (graceMs) => {
      await atMost(graceMs, idle(), clock);
      running.leaveAll();
      await worked();
      await atMost(lastCallsMs, idle(), clock);
    },
  };
}
