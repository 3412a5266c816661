import type { RequestListener } from "node:http";
import { type BadRequest, type BadRequestAnswer, startRetention } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { createCommands } from "./answering/commands/create-commands.ts";
import { createInteractions } from "./answering/interactions/interactions.ts";
import { Pressers } from "./answering/presses/pressers.ts";
import { RunningTasks } from "./answering/tasks/running-tasks.ts";
import { startWorkers, type Workers } from "./answering/workers.ts";
import type { VerificationDeps } from "./deps.ts";
import { createHttpSurface } from "./edge/http-surface.ts";
import { createSlackConnection, type SlackConnection } from "./edge/slack-connection.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createAppEmit, measureLoad } from "./ops/emit/create-emit.ts";
import { errorFields, traceSlack, traceZone } from "./tracing/traces.ts";
import { createContextMaker, type SlackLink } from "./workspaces/workspace-context.ts";
import {
  createInstalledWorkspaces,
  createIsForApp,
  createSingleWorkspace,
  type Workspaces,
} from "./workspaces/workspaces.ts";
import type { ZoneParts } from "./workspaces/zone-parts.ts";

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
  const { intake, workspaces: source, health, messages, metrics, handles, purges = [] } = deps;
  const rooms = createRooms(deps);
  const { parts, workspaces, commands } = rooms;
  const { emit } = parts;
  const { installations, installing } = source.mode === "installed" ? source : {};
  const lifecycle = createLifecycle({
    ...parts,
    intake,
    workspaces,
    commands,
    startWorkers: () => startAnswering(deps, rooms),
    connect: (workers, onLost) => connectSlack(deps, rooms, { workers, onLost }),
    installing,
    health,
  });
  const retention = startRetention({ purges, everyMs: retentionEveryMs, emit });
  const listener = createHttpSurface({
    ...parts,
    health,
    metrics,
    linkOf: workspaces.linkOf,
    handles,
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
  const { inbox, threads, ratings, policy, limits, clock, newId, logger, metrics, appId, responseUrls } = deps;
  const { record: recordAct } = deps.audit;
  const { tracer = createTracer() } = deps;
  const emit = createAppEmit({ logger, registry: metrics.registry, tracer });
  const parts: ZoneParts = { inbox, threads, ratings, policy, limits, clock, newId, emit, recordAct, tracer };
  const running = new RunningTasks();
  measureLoad(metrics.registry, inbox, running);
  const zone = traceZone(deps.zone, parts);
  const workspaces = createWorkspaces(deps, parts);
  const isForApp = createIsForApp(workspaces.find, appId);
  const pressers = new Pressers(responseUrls, clock);
  const seen = { ...parts, findWorkspace: workspaces.find, isForApp };
  const commands = createCommands({ ...seen, zone, responseUrls, appId });
  const interactions = createInteractions({ ...seen, zone, pressers });
  return { parts, running, zone, workspaces, isForApp, commands, interactions, pressers };
}

/** Makes the workspaces of the bot's token or of the installations, with traced connections to Slack. */
function createWorkspaces({ workspaces: source, appId, handles }: VerificationDeps, parts: ZoneParts): Workspaces {
  const traced = (link: SlackLink): SlackLink => ({ ...link, slack: traceSlack(link.slack, parts) });
  const installersAreListed = source.mode === "installed";
  const make = createContextMaker({ ...parts, appId, installersAreListed, tokens: handles });
  if (source.mode === "single") return createSingleWorkspace(traced(source.link), make);
  return createInstalledWorkspaces({ ...source, linkOf: (one) => traced(source.linkOf(one)) }, make);
}

function startAnswering(
  { streamPace, messages, limits }: VerificationDeps,
  { parts, zone, workspaces, running, pressers }: Rooms,
): Workers {
  return startWorkers({
    ...parts,
    workspaces,
    zone,
    running,
    pressers,
    streamPace,
    messages,
    concurrency: limits.MAX_QUESTIONS,
    reasonOf: (error) => errorFields(error).kind,
  });
}

function connectSlack(
  { intake, workspaces: source }: VerificationDeps,
  { parts, workspaces, isForApp, commands, interactions }: Rooms,
  { workers, onLost }: { readonly workers: Workers; readonly onLost: () => void },
): SlackConnection {
  return createSlackConnection({
    ...parts,
    intake,
    findWorkspace: workspaces.find,
    isForApp,
    installations: source.mode === "installed" ? source.installations : undefined,
    commands,
    interactions,
    onAccepted: workers.accepted,
    onLost,
  });
}
