import type { RequestListener } from "node:http";
import type { BadRequest, BadRequestAnswer } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { atMost } from "./at-most.ts";
import type { VerificationDeps } from "./deps.ts";
import { createFileRoute } from "./files/file-route.ts";
import { createHandles } from "./handles/handles.ts";
import { forwardToken } from "./handles/task-tokens.ts";
import { createListener } from "./http/create-listener.ts";
import { createSlackRoute } from "./http/slack-route.ts";
import { createInboxWorker, type InboxWorker } from "./inbox/inbox-worker.ts";
import { errorFields } from "./observation/error-fields.ts";
import { observeEdge } from "./observation/observe-edge.ts";
import { observeFiles } from "./observation/observe-files.ts";
import { observeLoad } from "./observation/observe-load.ts";
import { observeSlack } from "./observation/observe-slack.ts";
import { observeTasks } from "./observation/observe-tasks.ts";
import { observeZone } from "./observation/observe-zone.ts";
import { observePolicies } from "./observation/observe-policies.ts";
import { traceFileRequest } from "./observation/trace-file-request.ts";
import { traceJudgement } from "./observation/trace-judgement.ts";
import { traceRecord } from "./observation/trace-record.ts";
import { createGate } from "./policies/gate.ts";
import { createPolicies, type Policies } from "./policies/create-policies.ts";
import { policyInWords } from "./policies/policy-in-words.ts";
import { createSlackEdge, slackPath, type SlackEdge } from "./slack-edge.ts";
import { insist } from "./slack/insist.ts";
import { stayOpen } from "./slack/stay-open.ts";
import type { SlackIdentity } from "./slack/slack-api.ts";
import { createAskFlow } from "./tasks/ask-flow.ts";
import { createRunningTasks } from "./tasks/running-tasks.ts";
import { createSessionStatus } from "./tasks/session-status.ts";
import { createStopFlow } from "./tasks/stop-flow.ts";

export interface VerificationApp {
  /** The HTTP surface, for a server to serve. Slack's events get 503 until `start` is done. */
  readonly listener: RequestListener;
  /** Answers what never became a request, for a server to send. */
  readonly badRequest: (error: BadRequest) => BadRequestAnswer;
  /** Asks Slack who this app is, as often as it takes, then takes events. Resolves too when `stop` comes first. */
  start(): Promise<void>;
  /**
   * Lets the questions that were taken be answered for `graceMs`, then tells those who still wait that they have to ask again.
   * Stop the HTTP server first.
   */
  stop(graceMs: number): Promise<void>;
}

/** Stops may not wait behind questions, nor what is turned away, so they have workers of their own. */
const stopWorkers = 4;
const turnAwayWorkers = 4;

/** Longest that a stop waits at its end for notices which Slack does not take, milliseconds. */
const lastNoticesMs = 2_000;

/** Puts the verification zone together. Reads no environment, opens no socket of its own. */
export function createVerificationApp(deps: VerificationDeps): VerificationApp {
  const { inbox, clock, newId, logger, metrics, health, limits, tracer = createTracer() } = deps;
  const { registry } = metrics;
  const seen = observeEdge({ logger, registry });
  const slack = observeSlack(deps.slack, { logger, registry, tracer });
  const zone = observeZone(deps.zone, { logger, registry, newId, tracer });
  const observe = observeTasks({ logger, registry, tracer });
  const handles = createHandles({ store: deps.handles, now: clock.now, ttlMs: limits.deadlineMs });
  const tokens = deps.forwardedToken === undefined ? handles : forwardToken(deps.forwardedToken);
  const policySeen = observePolicies({ logger, registry });
  const running = createRunningTasks();
  const session = createSessionStatus(slack, (error) => logger.warn("session_status_refused", errorFields(error)));
  const unawaited = new Set<Promise<void>>();
  const stopping = new AbortController();
  let edge: SlackEdge | undefined;
  let ready = false;
  let workers: readonly InboxWorker[] = [];

  health.addCheck("slack", () => (ready ? undefined : "Slack has not said yet who this app is"));
  observeLoad(registry, { running, inbox });

  function startWorkers(identity: SlackIdentity, policies: Policies): void {
    const background = (work: Promise<void>): void => {
      const kept = work.finally(() => unawaited.delete(kept));
      unawaited.add(kept);
    };
    const gate = createGate({
      judge: traceJudgement(tracer, policies.inFlow),
      judgeFiles: traceJudgement(tracer, policies.ofFiles),
      slack,
      threads: deps.threads,
      clock,
      background,
      onNoticeLost: policySeen.noticeLost,
    });
    const { admitFiles } = gate;
    const guard: typeof gate.guard = (flow) => traceRecord(tracer, gate.guard(flow));
    const common = {
      admitFiles,
      zone,
      slack,
      identity,
      inbox,
      tokens,
      clock,
      running,
      session,
      background,
      observe,
      times: limits,
    };
    const { deliveryBudgetMs } = limits;
    const onError = seen.inboxFailed;
    const ask = createAskFlow(common);
    const turnAway = guard<"turned_away">(async () => undefined);
    const stop = createStopFlow({ ...common, deliveryBudgetMs, onStop: seen.stopRequested, onReplyLost: onError });
    workers = [
      createInboxWorker({ inbox, kind: "ask", concurrency: limits.concurrency, handle: guard(ask), onError }),
      createInboxWorker({ inbox, kind: "stop", concurrency: stopWorkers, handle: guard(stop), onError }),
      createInboxWorker({ inbox, kind: "turned_away", concurrency: turnAwayWorkers, handle: turnAway, onError }),
    ];
    for (const worker of workers) worker.wake();
  }

  async function connect(signal: AbortSignal): Promise<void> {
    logger.info("policy_in_force", policyInWords(deps.policy.current()));
    const insisting = { signal, clock, onFailure: seen.notIdentified };
    const identity = await insist(() => slack.identity(), insisting);
    const policies = createPolicies({
      source: deps.policy,
      limits: limits.policy,
      identity,
      slack,
      clock,
      onJudged: policySeen.judged,
    });
    startWorkers(identity, policies);
    const open = stayOpen({
      open: async () => deps.intake.mode === "socket" && edge?.bolt.start(),
      onChange: (isOpen) => {
        ready = isOpen;
        if (isOpen) seen.identified(identity, deps.intake.mode);
      },
      ...insisting,
    });
    const wake = (): void => workers.forEach((worker) => worker.wake());
    edge = createSlackEdge(deps, { identity, policies, seen, onAccepted: wake, onLost: () => void open() });
    await open();
  }

  const worked = async (): Promise<unknown> => Promise.all(workers.map((worker) => worker.idle()));
  const idle = async (): Promise<unknown> => worked().then(() => Promise.all(unawaited));

  return {
    listener: createListener({
      health,
      metrics,
      onUnexpected: seen.httpFailed,
      files: traceFileRequest(
        tracer,
        createFileRoute({
          handles,
          slack,
          host: deps.fileHost,
          rules: limits.files,
          limits: limits.files,
          onEnd: observeFiles({ logger, registry, tracer }),
        }),
      ),
      ...(deps.intake.mode === "http" && {
        slack: {
          path: slackPath,
          route: createSlackRoute({
            maxBytes: limits.maxBytes,
            maxDepth: limits.maxDepth,
            now: clock.now,
            bolt: () => edge?.listener,
            onRefused: seen.requestRefused,
            onAnswered: seen.requestAnswered,
          }),
        },
      }),
    }),

    badRequest: (error) => {
      seen.httpBroken(error);
      return { contentType: "application/json", body: JSON.stringify({ error: { message: error.reason } }) };
    },

    start: () =>
      connect(stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      }),

    stop: async (graceMs) => {
      stopping.abort(new Error("the app was stopped"));
      if (deps.intake.mode === "socket") await edge?.bolt.stop();
      await atMost(graceMs, idle(), clock);
      running.endAll();
      await worked();
      await atMost(lastNoticesMs, idle(), clock);
    },
  };
}
