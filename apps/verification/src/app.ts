import type { RequestListener } from "node:http";
import { type BadRequest, type BadRequestAnswer, observeRetention, startRetention } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { createCommands } from "./answering/commands/create-commands.ts";
import { createRunningTasks } from "./answering/tasks/running-tasks.ts";
import type { VerificationDeps } from "./deps.ts";
import { createHttpSurface } from "./edge/http-surface.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createAppEmit } from "./ops/emit/create-emit.ts";
import { measureLoad } from "./ops/emit/measure-events.ts";
import { errorFields } from "./tracing/error-fields.ts";
import { traceSlack, type TraceCallsDeps } from "./tracing/trace-slack.ts";
import { traceZone } from "./tracing/trace-zone.ts";
import { createContextMaker, type SlackLink } from "./workspaces/workspace-context.ts";
import {
  createInstalledWorkspaces,
  createIsForApp,
  createSingleWorkspace,
  type Workspaces,
} from "./workspaces/workspaces.ts";

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

/** Assembles the verification zone, room by room. Reads no environment variables and opens no sockets itself. */
export function createVerificationApp(deps: VerificationDeps): VerificationApp {
  const { clock, newId, logger, metrics, limits, policy, purges = [], tracer = createTracer() } = deps;
  const { registry } = metrics;
  const { now } = clock;
  const running = createRunningTasks();
  const emit = createAppEmit({ logger, registry, tracer });
  measureLoad(registry, { inbox: deps.inbox, running });
  const zone = traceZone(deps.zone, { tracer, emit, newId });
  const workspaces = createWorkspaces(deps, { tracer, emit });
  const isForApp = createIsForApp({ workspaces, appId: limits.appId });
  const answering = { ...deps, zone, workspaces, times: limits, emit, tracer };
  const commands = createCommands({ ...answering, isForApp, appId: limits.appId });
  const workers = {
    ...answering,
    running,
    fileRules: limits.files,
    concurrency: limits.concurrency,
    reasonOf: (error: unknown) => errorFields(error).kind,
  };
  const lifecycle = createLifecycle(deps, { workspaces, isForApp, commands, workers, tracer, emit });
  const retention = startRetention({
    purges,
    everyMs: retentionEveryMs,
    ...observeRetention({ logger, registry }, purges),
  });
  const listener = createHttpSurface({
    ...deps,
    workspaces,
    now,
    tracer,
    emit,
    policy: policy.current,
    ...(deps.intake.mode === "http" && { bolt: lifecycle.listener }),
    ...(deps.workspaces.mode === "installed" && {
      installing: { ...deps.workspaces.installing, installations: deps.workspaces.installations },
    }),
  });
  return {
    listener,
    badRequest: ({ status, reason, code: parser, requestId: http_request_id }) => {
      emit("http_refused", { status, reason: `http_${status}`, parser, http_request_id });
      return { contentType: "application/json", body: JSON.stringify({ error: { message: reason } }) };
    },
    start: lifecycle.start,
    stop: async (graceMs) => {
      await Promise.all([retention.stop(), lifecycle.stop(graceMs)]);
      await deps.messages?.settled();
    },
  };
}

/** Makes the workspaces of the bot's token or of the installations, with traced connections to Slack. */
function createWorkspaces(deps: VerificationDeps, tracing: TraceCallsDeps): Workspaces {
  const { workspaces: source, policy, limits, clock } = deps;
  const observed = (link: SlackLink): SlackLink => ({ ...link, slack: traceSlack(link.slack, tracing) });
  const make = createContextMaker({
    policy,
    limits: limits.policy,
    appId: limits.appId,
    installersAreListed: source.mode === "installed",
    tokens: deps.handles,
    now: clock.now,
    emit: tracing.emit,
  });
  if (source.mode === "single") return createSingleWorkspace(observed(source.link), make);
  const { installations, linkOf } = source;
  return createInstalledWorkspaces({ installations, linkOf: (one) => observed(linkOf(one)), make });
}
