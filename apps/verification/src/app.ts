import type { RequestListener } from "node:http";
import { observeRetention, startRetention, type BadRequest, type BadRequestAnswer } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { VerificationDeps } from "./deps.ts";
import { createHandles } from "./handles/handles.ts";
import { forwardToken } from "./handles/task-tokens.ts";
import { createHttpSurface } from "./http-surface.ts";
import { errorFields } from "./observation/error-fields.ts";
import { observeEdge } from "./observation/observe-edge.ts";
import { observeInbox } from "./observation/observe-inbox.ts";
import { observeLoad } from "./observation/observe-load.ts";
import { observePolicies } from "./observation/observe-policies.ts";
import { observeSlack } from "./observation/observe-slack.ts";
import { observeTasks } from "./observation/observe-tasks.ts";
import { observeZone } from "./observation/observe-zone.ts";
import { createPolicies } from "./policies/create-policies.ts";
import { policyInWords } from "./policies/policy-in-words.ts";
import { createSlackEdge, type SlackEdge } from "./slack-edge.ts";
import { insist } from "./slack/insist.ts";
import { stayOpen } from "./slack/stay-open.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { createRunningTasks } from "./tasks/running-tasks.ts";
import { createSessionStatus } from "./tasks/session-status.ts";

/** Between two rounds of forgetting what was kept long enough. */
const retentionEveryMs = 600_000;

export interface VerificationApp {
  /** The HTTP surface, for a server to serve. Slack's events get 503 until `start` is done. */
  readonly listener: RequestListener;
  /** Answers what never became a request, for a server to send. */
  readonly badRequest: (error: BadRequest) => BadRequestAnswer;
  /** Asks Slack who this app is, as often as it takes, then takes events. Resolves too when `stop` comes first. */
  start(): Promise<void>;
  /**
   * Lets the questions that were taken be answered for `graceMs`, then leaves the rest to the next process. Stop the HTTP server
   * first.
   */
  stop(graceMs: number): Promise<void>;
}

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
  const inboxSeen = observeInbox(inbox, { logger, registry });
  const { purges = [] } = deps;
  const retention = startRetention({
    purges,
    everyMs: retentionEveryMs,
    ...observeRetention({ logger, registry }, purges),
  });
  const running = createRunningTasks();
  const session = createSessionStatus(slack, (error) => logger.warn("session_status_refused", errorFields(error)));
  const parts = { slack, zone, tokens, running, session, observe, seen, policySeen, inboxSeen, tracer };
  const stopping = new AbortController();
  let edge: SlackEdge | undefined;
  let ready = false;
  let workers: Workers | undefined;

  health.addCheck("slack", () => (ready ? undefined : "Slack has not said yet who this app is"));
  observeLoad(registry, running);

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
    const started = startWorkers(deps, { ...parts, identity, policies });
    workers = started;
    const open = stayOpen({
      open: async () => deps.intake.mode === "socket" && edge?.bolt.start(),
      onChange: (isOpen) => {
        ready = isOpen;
        if (isOpen) seen.identified(identity, deps.intake.mode);
      },
      ...insisting,
    });
    edge = createSlackEdge(deps, { identity, policies, seen, onAccepted: started.wake, onLost: () => void open() });
    await open();
  }

  return {
    listener: createHttpSurface(deps, { slack, handles, seen, tracer, bolt: () => edge?.listener }),

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
      await workers?.stop(graceMs);
      await retention.stop();
    },
  };
}
