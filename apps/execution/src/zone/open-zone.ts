import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { JobKind } from "@crosszone/jobs";
import {
  createGauge,
  createHealth,
  createMetrics,
  createTokenBuckets,
  type Emit,
  type Environment,
  type Health,
  type Logger,
  type Metrics,
  type Purge,
  startRetention,
  watchCertificates,
} from "@crosszone/service-kit";
import { startTracing, type Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { createAgentDirectory, type ZoneAgents } from "../agents/agent-directory.ts";
import type { Authenticator } from "../doors/auth/authenticator.ts";
import { createHttpApp } from "../doors/create-http-app.ts";
import { type HostProfile, hostProfiles, pingAnswer } from "../doors/host-profile.ts";
import { createHttpFiles, noFiles } from "../doors/http-files.ts";
import { createCardRoute, createDescribeZone } from "../doors/rpc/describe-zone.ts";
import { createZoneDispatch } from "../doors/rpc/zone-handlers.ts";
import { createBadRequest } from "../doors/serve-route.ts";
import { createScheduleTimer } from "../fires/schedule-timer.ts";
import type { InputRequests } from "../people/input-requests.ts";
import type { ZoneJobs } from "../store/open-execution-database.ts";
import { AskService } from "../tasks/ask/ask-service.ts";
import { ProgramRoom } from "../tasks/ask/submit-question.ts";
import { createOpenLinkedFile } from "../tasks/file-links.ts";
import type { GrantFiles } from "../tasks/task-files.ts";
import type { TaskStore } from "../tasks/store/task-store.ts";
import { isFinal } from "../tasks/task.ts";
import { createTaskInputs } from "../tasks/task-inputs.ts";
import { TaskRunner } from "../tasks/task-runner.ts";
import { TaskTails } from "../tasks/task-tails.ts";
import { createAuthenticator } from "./config/callers.ts";
import type { ExecutionConfig, LoadedExecutionConfig } from "./config/variables.ts";
import { openAsk } from "./open-asking.ts";
import { openRoles } from "./open-roles.ts";
import { createZoneEmit, type KeysToCompare, openStore } from "./open-store.ts";
import { connectModel, createZonePrompts, openZoneAgents } from "./open-zone-agents.ts";

/** A process of the zone, without its servers. */
export type OpenedZone = Awaited<ReturnType<typeof openZone>>;

/** Opens what the variables configure, in order: database, roles, agents and the app. */
export async function openZone(
  loaded: LoadedExecutionConfig,
  surroundings: {
    readonly build: { readonly zone: string; readonly version: string };
    /** Contains the secrets of agents and MCP servers. */
    readonly environment: Environment;
    readonly logger: Logger<ExecutionEvent>;
    /** Receives errors of replaced secret files. */
    readonly onFileFailure: (cause: unknown) => void;
    readonly keys?: KeysToCompare;
  },
) {
  const { values: config } = loaded;
  const { build, environment, logger, onFileFailure, keys } = surroundings;
  const { version } = build;
  // Closes what is open when a later part can't be opened.
  await using opening = new AsyncDisposableStack();
  const model = await connectModel(config);
  const { tracer, stop: stopTracing } = await startTracing({ ...build, config, logger });
  opening.defer(stopTracing);
  const [health, metrics] = [createHealth(), createMetrics(build)];
  // The registry adds the agents that it finds.
  const agentNames = new Set<string>();
  const emit = createZoneEmit({ logger, metrics }, agentNames);
  const { TLS_CERT_FILE, CALLER_TLS_CA_FILE } = config;
  watchCertificates({ TLS_CERT_FILE, CALLER_TLS_CA_FILE }, { registry: metrics.registry, emit });
  const { store, jobs, database, vault } = await openStore(config, {
    emit,
    health,
    metrics,
    keys,
    databaseUrlFile: loaded.files?.DATABASE_URL,
  });
  opening.defer(database.close);
  opening.defer(jobs.stop);
  const roles = await openRoles({ config, environment, database, jobs, vault, metrics, health, emit, agentNames });
  opening.defer(roles.close);
  const opened = { roles, health, metrics, stopLease: jobs.stop, stopTracing, closeDatabase: database.close };
  if (!config.EXECUTION_ROLES.includes("rpc")) {
    opening.move();
    const listener = createHttpApp({ health, metrics, api: roles.api, pages: roles.pages, emit });
    const app = { listener, badRequest: createBadRequest(emit), ...createRetention(emit, roles.purges) };
    return { ...opened, app, ask: undefined };
  }
  const { inputs, asking } = roles;
  const { approvalFor } = inputs;
  const app = createExecutionApp({
    ...roles,
    prompts: createZonePrompts({ ...roles, config, tracer, emit, model, vault }),
    metrics,
    emit,
    health,
    agents: await openZoneAgents({ ...roles, config, tracer, emit, model, approvalFor }),
    store,
    jobs,
    authenticator: await createAuthenticator(loaded, onFileFailure),
    profile: hostProfiles[config.HOST_PROFILE],
    card: { version, url: config.EXECUTION_PUBLIC_URL },
    grantFiles: grantConfiguredFiles(config),
    now: () => new Date(),
    tracer,
    limits: limitsOf(config),
  });
  // The surface for programs, when they can ask here.
  const ask = asking && openAsk(config, asking, { ask: app.ask, health, emit, version, hooks: roles.hooks.route });
  opening.move();
  return { ...opened, app, ask };
}

/** Reads the files of tasks from VERIFICATION_URL; refuses every file when it is not set. */
const grantConfiguredFiles = ({ VERIFICATION_URL: url, ...config }: ExecutionConfig): GrantFiles =>
  url === undefined ? noFiles : createHttpFiles({ url, maxBytes: config.MAX_FILE, timeoutMs: config.FILE_TIMEOUT_MS });

/** Returns the limits in the variables. */
export function limitsOf(config: ExecutionConfig) {
  return {
    maxBytes: config.MAX_BODY,
    maxDepth: config.MAX_DEPTH,
    maxRunning: config.MAX_RUNNING_TASKS,
    mostAttempts: config.TASK_ATTEMPTS,
    syncWindowMs: config.SYNC_WINDOW_MS,
    maxWaitMs: config.MAX_WAIT_MS,
    taskDeadlineMs: config.TASK_DEADLINE,
    requestsPerMinute: config.MAX_REQUESTS_PER_MINUTE,
    requestBurst: config.MAX_REQUEST_BURST,
  };
}

type Roles = Awaited<ReturnType<typeof openRoles>>;

/** What the zone is made of: what its roles opened, and what its process has. */
export interface ExecutionDeps
  extends
    Pick<Roles, "inputs" | "schedules" | "stored" | "usageOf" | "checkToken">,
    Partial<Pick<Roles, "messages" | "purges" | "api" | "pages" | "fileLinks" | "onUse">> {
  metrics: Metrics;
  /** Logs and measures the zone's events. */
  emit: Emit<ExecutionEvent>;
  health: Health;
  /** Calls models for steps of workflows. When absent, other processes do. */
  prompts?: JobKind<ExecutionColumn>;
  agents: ZoneAgents;
  store: TaskStore;
  jobs: ZoneJobs;
  authenticator: Authenticator;
  grantFiles: GrantFiles;
  /** For the agent card: the version of the zone, `0.0.0` when absent, and its URL, the one of the request when absent. */
  card?: { readonly version?: string; readonly url?: string | undefined };
  profile: HostProfile;
  now: () => Date;
  tracer: Tracer;
  /** `retentionEveryMs`: average time between two purges; ten minutes when absent. */
  limits: ReturnType<typeof limitsOf> & { readonly retentionEveryMs?: number };
}

/** Creates the execution zone. Reads no environment variables and opens no sockets. */
export function createExecutionApp(deps: ExecutionDeps) {
  const { api, store, jobs, inputs, grantFiles, fileLinks: links, authenticator, card, emit, limits, now } = deps;
  const { messages, schedules, stored, health, metrics, usageOf, checkToken, profile, tracer, purges = [] } = deps;
  const { maxBytes, maxRunning, mostAttempts, taskDeadlineMs, requestsPerMinute: perMinute } = limits;
  const { rpcPath, readiness, untypedBodies } = profile;
  const agents = createAgentDirectory(deps.agents, emit);
  const { requests } = inputs;
  const onFailure = (cause: unknown): void => emit("task_store_failed", { operation: "follow", cause });
  const tails = new TaskTails({ log: store.log, onFailure });
  const runner = new TaskRunner({
    store,
    tails,
    inputs: createTaskInputs(inputs),
    jobs,
    now,
    grantFiles,
    agentOf: agents.resolve,
    maxRunning,
    mostAttempts,
    emit,
    tracer,
  });
  measureTasks(metrics.registry, { runner, schedules, requests, store });
  const open = new ProgramRoom({ count: store.asked.openCount, isExact: true });
  const ask = new AskService({ agents, runner, store, open, stored, tails, inputs: requests, taskDeadlineMs });
  const describeZone = createDescribeZone({ ...card, rpcPath, agents: deps.agents.all, scheme: authenticator.scheme });
  const parts = { agents, store, inputRequests: requests, runner, limits, emit, tracer };
  const dispatch = createZoneDispatch({ ...parts, describeZone, usageOf, checkToken, messages, schedules });
  const openFile = links && createOpenLinkedFile({ links, store, readerOf: runner.readerOf, grantFiles });
  const requestLimit = () =>
    perMinute > 0 ? createTokenBuckets({ capacity: limits.requestBurst, perMinute }) : undefined;
  const tasks = { table: "task", purge: (most: number) => store.forget(most) };
  const old = [tasks, store.log.purge, requests.purge, ...purges];
  const cancelTask = async (fireId: string): Promise<boolean> => {
    const task = await store.get(fireId);
    if (task !== undefined && !isFinal(task.state)) await runner.cancel(task);
    return task !== undefined;
  };
  const timer = createScheduleTimer({ fires: schedules.starting, cancelTask, emit });
  // A new kind of job is one row: `jobs.workOn(kind)`.
  const prompts = deps.prompts === undefined ? [] : [jobs.workOn(deps.prompts)];
  const workers = [runner, timer, ...prompts, createRetention(emit, old, limits.retentionEveryMs)];
  const listener = createHttpApp({
    rpc: { dispatch, authenticator, maxBytes, untypedBodies, callerLimit: requestLimit(), onUse: deps.onUse },
    card: createCardRoute(describeZone, card?.url !== undefined),
    api,
    pages: deps.pages,
    files: links && openFile && { open: openFile, markFetched: links.markFetched, addressLimit: requestLimit() },
    emit,
    health,
    metrics,
    rpcPath,
    ping: profile.ping ? () => pingAnswer(runner) : undefined,
    readiness,
  });
  return {
    /** The HTTP surface, for a server. */
    listener,
    /** Returns the answer to something that never became a request. */
    badRequest: createBadRequest(emit),
    /** The methods of the zone link without HTTP, for use within one process. */
    dispatch,
    /** What programs can do with tasks. */
    ask,
    /** Starts to maintain tasks: those running here, those of crashed processes, and old ones. */
    start: () => workers.forEach((worker) => worker.start()),
    /** Accepts no more tasks, lets running tasks end within `graceMs` milliseconds, and releases the others. */
    stop: async (graceMs: number) => {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)));
    },
  };
}

/** Updates the gauges of tasks, fires, schedules and input requests at each scrape. */
function measureTasks(
  registry: Metrics["registry"],
  of: Pick<ExecutionDeps, "schedules" | "store"> & { readonly runner: TaskRunner; readonly requests: InputRequests },
): void {
  const { runner, schedules, requests, store } = of;
  createGauge(registry, "tasks_running", runner.running);
  createGauge(registry, "fires_waiting", () => schedules.fires.waiting());
  createGauge(registry, "schedules_paused", {
    labels: { reason: ["failures", "owner_left", "unallowed", "by_hand"] },
    read: async () =>
      Object.entries(await schedules.paused()).map(([reason, value]) => ({ labels: { reason }, value })),
  });
  createGauge(registry, "input_requests_open", () => requests.openCount());
  createGauge(registry, "task_oldest_open_seconds", async () => (await store.oldestOpenMs()) / 1_000);
}

/** Deletes old data from `start` to `stop`: every ten minutes on average by default. */
function createRetention(emit: Emit<ExecutionEvent>, purges: readonly Purge[], everyMs = 600_000) {
  let running: ReturnType<typeof startRetention> | undefined;
  return {
    start: () => {
      running = startRetention({ purges, everyMs, emit });
    },
    stop: async () => running?.stop(),
  };
}
