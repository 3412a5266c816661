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
  /** Lets what was taken be worked on for `graceMs`, then ends the questions that still wait, and tells those who asked. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Stops may not wait behind questions, nor what is turned away, so they have workers of their own. */
const stopWorkers = 4;
const turnAwayWorkers = 4;

/** Longest that a stop waits at its end for notices which Slack does not take, milliseconds. */
const lastNoticesMs = 2_000;

/** Works through the inbox: each record is judged, and what is allowed is answered, stopped or turned away. */
export function startWorkers(
  { inbox, threads, clock, limits }: Pick<VerificationDeps, "inbox" | "threads" | "clock" | "limits">,
  parts: WorkerParts,
): Workers {
  const { policies, seen, policySeen, tracer, ...shared } = parts;
  const unawaited = new Set<Promise<void>>();
  const background = (work: Promise<void>): void => {
    const kept = work.finally(() => unawaited.delete(kept));
    unawaited.add(kept);
  };
  const gate = createGate({
    judge: traceJudgement(tracer, policies.inFlow),
    judgeFiles: traceJudgement(tracer, policies.ofFiles),
    slack: shared.slack,
    threads,
    clock,
    background,
    onNoticeLost: policySeen.noticeLost,
  });
  const { admitFiles } = gate;
  const guard: typeof gate.guard = (flow) => traceRecord(tracer, gate.guard(flow));
  const { concurrency, deliveryBudgetMs } = limits;
  const onError = seen.inboxFailed;
  const forFlows = { ...shared, inbox, clock, background };
  const ask = createAskFlow({ ...forFlows, admitFiles, times: limits });
  const stop = createStopFlow({ ...forFlows, deliveryBudgetMs, onStop: seen.stopRequested, onReplyLost: onError });
  const turnAway = guard<"turned_away">(async () => undefined);
  const workers = [
    createInboxWorker({ inbox, kind: "ask", concurrency, handle: guard(ask), onError }),
    createInboxWorker({ inbox, kind: "stop", concurrency: stopWorkers, handle: guard(stop), onError }),
    createInboxWorker({ inbox, kind: "turned_away", concurrency: turnAwayWorkers, handle: turnAway, onError }),
  ];
  const wake = (): void => workers.forEach((worker) => worker.wake());
  wake();

  const worked = async (): Promise<unknown> => Promise.all(workers.map((worker) => worker.idle()));
  const idle = async (): Promise<unknown> => worked().then(() => Promise.all(unawaited));

  return {
    wake,
    stop: async (graceMs) => {
      await atMost(graceMs, idle(), clock);
      shared.running.endAll();
      await worked();
      await atMost(lastNoticesMs, idle(), clock);
    },
  };
}
