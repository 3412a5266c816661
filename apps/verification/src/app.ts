import type { RequestListener } from "node:http";
import { type BadRequest, type BadRequestAnswer, type Emit, startRetention } from "@crosszone/service-kit";
import { createTracer, type Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { createCommands } from "./answering/commands/create-commands.ts";
import { RunningTasks } from "./answering/tasks/running-tasks.ts";
import { startWorkers, type Workers } from "./answering/workers.ts";
import type { VerificationDeps } from "./deps.ts";
import { createHttpSurface } from "./edge/http-surface.ts";
import { createSlackConnection, type SlackConnection } from "./edge/slack-connection.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createAppEmit } from "./ops/emit/create-emit.ts";
import { measureLoad } from "./ops/emit/measure-load.ts";
import { errorFields } from "./tracing/error-fields.ts";
import { traceSlack, traceZone } from "./tracing/trace-calls.ts";
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
  const { intake, workspaces: source, clock, health, messages, purges = [] } = deps;
  const rooms = createRooms(deps);
  const { emit, tracer, workspaces, commands } = rooms;
  const { installations, installing } = source.mode === "installed" ? source : {};
  const lifecycle = createLifecycle({
    intake,
    workspaces,
    commands,
    startWorkers: () => startAnswering(deps, rooms),
    connect: (workers, onLost) => connectSlack(deps, rooms, { workers, onLost }),
    policy: deps.policy,
    installing,
    clock,
    health,
    emit,
  });
  const retention = startRetention({ purges, everyMs: retentionEveryMs, emit });
  const listener = createHttpSurface({
    health,
    metrics: deps.metrics,
    tracer,
    emit,
    linkOf: workspaces.linkOf,
    handles: deps.handles,
    policy: deps.policy,
    limits: deps.limits,
    now: clock.now,
    newId: deps.newId,
    installing,
    installations,
    bolt: intake.mode === "http" ? lifecycle.listener : undefined,
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
      await messages?.settled();
    },
  };
}

/** What the rooms of the app share. */
type Rooms = ReturnType<typeof createRooms>;

function createRooms(deps: VerificationDeps) {
  const { inbox, clock, newId, logger, metrics, limits, appId, responseUrls, tracer = createTracer() } = deps;
  const { registry } = metrics;
  const emit = createAppEmit({ logger, registry, tracer });
  const running = new RunningTasks();
  measureLoad(registry, inbox, running);
  const zone = traceZone(deps.zone, { tracer, emit, newId });
  const workspaces = createWorkspaces(deps, emit, tracer);
  const isForApp = createIsForApp(workspaces.find, appId);
  const commands = createCommands({
    findWorkspace: workspaces.find,
    isForApp,
    zone,
    responseUrls,
    limits,
    appId,
    clock,
    newId,
    emit,
    tracer,
  });
  return { emit, tracer, running, zone, workspaces, isForApp, commands };
}

/** Makes the workspaces of the bot's token or of the installations, with traced connections to Slack. */
function createWorkspaces(deps: VerificationDeps, emit: Emit<VerificationEvent>, tracer: Tracer): Workspaces {
  const { workspaces: source, policy, limits, appId, handles, clock } = deps;
  const traced = (link: SlackLink): SlackLink => ({ ...link, slack: traceSlack(link.slack, { tracer, emit }) });
  const make = createContextMaker({
    policy,
    limits,
    appId,
    installersAreListed: source.mode === "installed",
    tokens: handles,
    now: clock.now,
    emit,
  });
  if (source.mode === "single") return createSingleWorkspace(traced(source.link), make);
  return createInstalledWorkspaces({ ...source, linkOf: (one) => traced(source.linkOf(one)) }, make);
}

function startAnswering(deps: VerificationDeps, { zone, workspaces, running, emit, tracer }: Rooms): Workers {
  const { inbox, threads, streamPace, messages, policy, limits, clock, newId } = deps;
  return startWorkers({
    workspaces,
    zone,
    inbox,
    threads,
    running,
    streamPace,
    messages,
    policy,
    limits,
    concurrency: limits.MAX_QUESTIONS,
    clock,
    newId,
    emit,
    tracer,
    reasonOf: (error) => errorFields(error).kind,
  });
}

function connectSlack(
  deps: VerificationDeps,
  { workspaces, isForApp, commands, emit, tracer }: Rooms,
  { workers, onLost }: { readonly workers: Workers; readonly onLost: () => void },
): SlackConnection {
  const { intake, workspaces: source, inbox, threads, limits, clock, newId } = deps;
  return createSlackConnection({
    intake,
    findWorkspace: workspaces.find,
    isForApp,
    installations: source.mode === "installed" ? source.installations : undefined,
    commands,
    inbox,
    threads,
    limits,
    now: clock.now,
    newId,
    emit,
    tracer,
    onAccepted: workers.accepted,
    onLost,
  });
}
