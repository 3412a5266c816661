import type { RequestListener } from "node:http";
import { observeRetention, startRetention, type BadRequest, type BadRequestAnswer } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { createCommands } from "./answering/commands/create-commands.ts";
import type { SlackLink, VerificationDeps } from "./deps.ts";
import { createDeskMaker } from "./workspaces/workspace-context.ts";
import { createInstalledDesks } from "./workspaces/installed-workspaces.ts";
import { createIsForApp } from "./workspaces/is-for-app.ts";
import { createSingleDesk } from "./workspaces/single-workspace.ts";
import { createHandles } from "./zone-link/handles/handles.ts";
import { createHttpSurface } from "./edge/http-surface.ts";
import { observeInstalls } from "./ops/observers/observe-installs.ts";
import { errorFields } from "./ops/observers/error-fields.ts";
import { observeCommands } from "./ops/observers/observe-commands.ts";
import { observeEdge } from "./ops/observers/observe-edge.ts";
import { observeInbox } from "./ops/observers/observe-inbox.ts";
import { observeLoad } from "./ops/observers/observe-load.ts";
import { observePolicies } from "./ops/observers/observe-policies.ts";
import { observeSlack } from "./ops/observers/observe-slack.ts";
import { observeTasks } from "./ops/observers/observe-tasks.ts";
import { observeZone } from "./ops/observers/observe-zone.ts";
import { policyInWords } from "./policy/policy-in-words.ts";
import { createSlackEdge, type SlackEdge } from "./edge/slack-edge.ts";
import { stayOpen } from "./edge/events/stay-open.ts";
import { startWorkers, type Workers } from "./answering/start-workers.ts";
import { createRunningTasks } from "./answering/tasks/running-tasks.ts";

/** Time between two purges of expired rows, milliseconds. */
const retentionEveryMs = 600_000;

export interface VerificationApp {
  /** The HTTP listener. Slack's events get 503 until `start` has resolved. */
  readonly listener: RequestListener;
  /** Returns the response to bytes that never became a request. */
  readonly badRequest: (error: BadRequest) => BadRequestAnswer;
  /** Identifies the app in Slack, if it has one workspace, with retries; then accepts events. Also resolves if `stop` is called first. */
  start(): Promise<void>;
  /** Lets accepted questions finish for `graceMs` milliseconds, then leaves the rest to the next process. Stop the HTTP server first. */
  stop(graceMs: number): Promise<void>;
}

/** Assembles the verification zone. Reads no environment variables and opens no sockets itself. */
export function createVerificationApp(deps: VerificationDeps): VerificationApp {
  const { inbox, clock, newId, logger, metrics, health, limits, workspaces, tracer = createTracer() } = deps;
  const { registry } = metrics;
  const seen = observeEdge({ logger, registry });
  const installs = observeInstalls({ logger, registry });
  const watch = observeSlack({ logger, registry, tracer });
  const watched = (link: SlackLink): SlackLink => ({ ...link, slack: watch(link.slack) });
  const zone = observeZone(deps.zone, { logger, registry, newId, tracer });
  const observe = observeTasks({ logger, registry, tracer });
  const handles = createHandles({ store: deps.handles, now: clock.now, ttlMs: limits.deadlineMs });
  const policySeen = observePolicies({ logger, registry });
  const inboxSeen = observeInbox(inbox, { logger, registry });
  const { purges = [] } = deps;
  const retention = startRetention({
    purges,
    everyMs: retentionEveryMs,
    ...observeRetention({ logger, registry }, purges),
  });
  const running = createRunningTasks();
  const make = createDeskMaker(deps, {
    tokens: handles,
    onJudged: policySeen.judged,
    onAppUnknown: seen.appUnknown,
    onStatusRefused: (error) => logger.warn("session_status_refused", errorFields(error)),
  });
  const desks =
    workspaces.mode === "single"
      ? createSingleDesk(watched(workspaces.link), make)
      : createInstalledDesks({ ...workspaces, linkOf: (one) => watched(workspaces.linkOf(one)), make });
  const parts = { desks, zone, running, observe, seen, policySeen, inboxSeen, tracer };
  const isForApp = createIsForApp({ desks, appId: limits.appId });
  const commands = createCommands({
    desks,
    zone,
    clock,
    newId,
    times: limits,
    isForApp,
    appId: limits.appId,
    responseUrls: deps.responseUrls,
    seen: observeCommands({ logger, registry, tracer }),
  });
  const stopping = new AbortController();
  let edge: SlackEdge | undefined;
  let ready = false;
  let workers: Workers | undefined;

  health.addCheck("slack", () => (ready ? undefined : "Slack has not identified this app yet"));
  observeLoad(registry, running);

  async function connect(signal: AbortSignal): Promise<void> {
    logger.info("policy_in_force", policyInWords(deps.policy.current()));
    const insisting = { signal, clock, onFailure: seen.notIdentified };
    const identity = await desks.open(insisting);
    // Slack may respond after the app was stopped; work that starts now would never be stopped.
    signal.throwIfAborted();
    const started = startWorkers(deps, parts);
    workers = started;
    const open = stayOpen({
      open: async () => deps.intake.mode === "socket" && edge?.bolt.start(),
      onChange: (isOpen) => {
        ready = isOpen;
        if (!isOpen) return;
        if (identity !== undefined) seen.identified(identity, deps.intake.mode);
        else if (workspaces.mode === "installed") seen.installOpen(workspaces.installing.redirectUri, deps.intake.mode);
      },
      ...insisting,
    });
    edge = createSlackEdge(deps, {
      desks,
      isForApp,
      seen,
      installs,
      commands,
      onAccepted: started.accepted,
      onLost: () => void open(),
    });
    await open();
  }

  return {
    listener: createHttpSurface(deps, { desks, installs, handles, seen, tracer, bolt: () => edge?.listener }),

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
      await Promise.all([retention.stop(), workers?.stop(graceMs), commands.stop(graceMs)]);
    },
  };
}
