import type { RequestListener } from "node:http";
import { createBuiltinAgent, loadLibraries } from "@crosszone/builtin-agent";
import {
  createHealth,
  createMetrics,
  databaseUrlOf,
  type Emit,
  type Environment,
  type Health,
  type Logger,
  type Metrics,
  vaultOf,
} from "@crosszone/service-kit";
import { startTracing } from "@crosszone/service-kit/tracing";
import { checkWritable } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { createSqlConversations } from "./agents/conversations.ts";
import { createExecutionApp, createOperationsApp } from "./app.ts";
import type { ExecutionConfig, LoadedExecutionConfig } from "./config/config.ts";
import { measureCommits, measureRunning, openExecutionDatabase, openJobs } from "./database/open-execution-database.ts";
import type { ExecutionLimits, OperationsApp } from "./deps.ts";
import { createHttpFiles, noFiles } from "./files/http-files.ts";
import { hostProfiles } from "./http/host-profile.ts";
import { createZoneEmit } from "./observers/create-emit.ts";
import { connectModel } from "./roles/connect-model.ts";
import { createAuthenticator } from "./roles/create-authenticator.ts";
import { openAsk } from "./roles/open-ask.ts";
import { openRoles, type OpenRoles } from "./roles/open-roles.ts";
import { openZoneAgents } from "./roles/open-zone-agents.ts";
import type { GrantFiles } from "./tasks/run-agent.ts";
import { TaskStore } from "./tasks/sql/task-store.ts";

interface OpenZoneOptions {
  readonly build: { readonly zone: string; readonly version: string };
  /** Contains the secrets of agents and MCP servers. */
  readonly environment: Environment;
  readonly logger: Logger<ExecutionEvent>;
  /** Receives errors of replaced secret files. */
  readonly onFileFailure: (cause: unknown) => void;
}

/** The parts of a process, without its server. */
export interface OpenedZone {
  readonly app: OperationsApp;
  /** The surface for programs, when they can ask here. */
  readonly ask?: RequestListener | undefined;
  readonly roles: OpenRoles;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly stopLease: () => Promise<void>;
  readonly stopTracing: () => Promise<void>;
  readonly closeDatabase: () => Promise<void>;
}

/** Opens what the variables configure, in order: database, roles, agents and the app. */
export async function openZone(loaded: LoadedExecutionConfig, options: OpenZoneOptions): Promise<OpenedZone> {
  const { values: config, files } = loaded;
  const { build, environment, logger, onFileFailure } = options;
  const { version } = build;
  const model = await connectModel(config);
  const { tracer, stop: stopTracing } = await startTracing({ ...build, config, logger });
  const [health, metrics] = [createHealth(), createMetrics(build)];
  // The registry adds the agents that it finds.
  const agentNames = new Set<string>();
  const emit = createZoneEmit({ logger, metrics }, agentNames);
  const { store, jobs, database, vault } = await openStore(config, { emit, health, metrics });
  const roles = await openRoles({
    config,
    environment,
    database,
    jobs,
    vault,
    metrics,
    health,
    emit,
    agentNames,
  }).catch(async (error: unknown) => {
    await Promise.all([jobs.stop().then(database.close), stopTracing()]);
    throw error;
  });
  const { registered, inputs, usage, usageOf, summaries, mcp, fileLinks, api, checkToken, purges } = roles;
  const opened = { roles, health, metrics, stopLease: jobs.stop, stopTracing, closeDatabase: database.close };
  const operations = { logger, metrics, emit, health, purges, api };
  if (!config.EXECUTION_ROLES.includes("rpc")) return { ...opened, app: createOperationsApp(operations) };
  loadLibraries();
  const builtin = createBuiltinAgent({ hasModel: model !== undefined });
  const app = createExecutionApp({
    ...operations,
    agents: await openZoneAgents({
      config,
      tracer,
      emit,
      model,
      builtin,
      registered,
      usage,
      summaries,
      mcp,
      approvalFor: inputs.approvalFor,
      assistantFile: roles.assistantFile,
    }),
    store,
    jobs,
    inputs,
    usageOf,
    checkToken,
    onUse: roles.onUse,
    authenticator: await createAuthenticator({ values: config, files, onFileFailure }),
    profile: hostProfiles[config.HOST_PROFILE],
    card: { version, url: config.EXECUTION_PUBLIC_URL },
    grantFiles: grantConfiguredFiles(config),
    fileLinks,
    now: () => new Date(),
    tracer,
    limits: limitsOf(config),
  });
  return { ...opened, app, ask: openAsk({ config, ask: app.ask, asking: roles.asking, health, emit, version }) };
}

/** Reads the files of tasks from VERIFICATION_URL; refuses every file when it is not set. */
const grantConfiguredFiles = ({ VERIFICATION_URL: url, ...config }: ExecutionConfig): GrantFiles =>
  url === undefined ? noFiles : createHttpFiles({ url, maxBytes: config.MAX_FILE, timeoutMs: config.FILE_TIMEOUT_MS });

/** Returns the limits in the variables. */
function limitsOf(config: ExecutionConfig): ExecutionLimits {
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

/**
 * Opens this process's task store in the configured database, and begins the lease of its jobs. The store is ready while the database
 * accepts writes.
 */
export async function openStore(
  config: ExecutionConfig,
  {
    emit,
    health,
    metrics,
  }: { readonly emit: Emit<ExecutionEvent>; readonly health: Health; readonly metrics: Metrics },
) {
  const database = await openExecutionDatabase({
    url: databaseUrlOf(config, "execution"),
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => emit("database_waited_for", { cause }),
    onIdleError: (cause) => emit("database_connection_lost", { cause }),
    onListenError: (cause) => emit("database_notifications_missing", { cause }),
  });
  health.addCheck("database", () => checkWritable(database));
  const vault = vaultOf(config);
  const jobs = openJobs(database, { leaseMs: config.TASK_LEASE_MS, emit, onCommit: measureCommits(metrics.registry) });
  measureRunning(metrics.registry, jobs);
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const retentionMs = config.TASK_RETENTION;
  const store = new TaskStore({ database, jobs: jobs.store, conversations, retentionMs, vault });
  await jobs.start();
  return { store, jobs, database, vault };
}
