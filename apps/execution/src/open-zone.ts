import { createBuiltinAgent, loadLibraries } from "@crosszone/builtin-agent";
import {
  createHealth,
  createMetrics,
  type LoadedConfig,
  databaseUrlOf,
  vaultOf,
  type Health,
  type Vault,
} from "@crosszone/service-kit";
import { startTracing } from "@crosszone/service-kit/tracing";
import { createExecutionApp } from "./app.ts";
import type { executionConfig, ExecutionConfig } from "./config/config.ts";
import type { ExecutionApp, ExecutionDeps } from "./deps.ts";
import { createHttpFiles, noFiles } from "./files/http-files.ts";
import { hostProfiles } from "./http/host-profile.ts";
import type { Telemetry } from "./observers/telemetry.ts";
import { createOperationsApp } from "./operations-app.ts";
import { connectModel } from "./roles/connect-model.ts";
import { createAuthenticator } from "./roles/create-authenticator.ts";
import { openRoles, type OpenRoles } from "./roles/open-roles.ts";
import { openZoneAgents } from "./roles/open-zone-agents.ts";
import type { GrantFiles } from "./tasks/grant-files.ts";
import { measureCommits } from "@crosszone/jobs";
import { checkWritable } from "@crosszone/sql";
import { createSqlConversations } from "./agents/conversations.ts";
import { openExecutionDatabase, type ExecutionDatabase } from "./database/open-execution-database.ts";
import { openJobs, type ZoneJobs } from "./database/open-jobs.ts";
import { TaskStore } from "./tasks/sql/task-store.ts";

interface OpenZoneOptions {
  readonly build: { readonly zone: string; readonly version: string };
  /** The secrets of agents and MCP servers. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Telemetry["logger"];
  /** Receives errors of replaced secret files. */
  readonly onFileFailure: (cause: unknown) => void;
}

/** The parts of a process, without its server. */
export interface OpenedZone {
  readonly app: Omit<ExecutionApp, "dispatch">;
  readonly roles: OpenRoles;
  readonly health: ExecutionDeps["health"];
  readonly stopLease: () => Promise<void>;
  readonly stopTracing: () => Promise<void>;
  readonly closeDatabase: () => Promise<void>;
}

/** Opens what the variables configure: database, roles, agents and the app. */
export async function openZone(
  { values: config, files }: Pick<LoadedConfig<typeof executionConfig>, "values" | "files">,
  { build, environment, logger, onFileFailure }: OpenZoneOptions,
): Promise<OpenedZone> {
  const model = await connectModel(config);
  const tracing = await startTracing({ ...build, config, logger });
  const [health, metrics] = [createHealth(), createMetrics(build)];
  const { store, jobs, database, vault } = await openStore(config, { logger, health, metrics });
  const { tracer } = tracing;
  const basis = { config, database, jobs, vault, logger, metrics, health, tracer };
  const roles = await openRoles(basis, environment).catch(async (error: unknown) => {
    await Promise.all([jobs.stop().then(database.close), tracing.stop()]);
    throw error;
  });
  const answersTasks = config.EXECUTION_ROLES.includes("rpc");
  if (answersTasks) loadLibraries();
  const builtin = createBuiltinAgent({ hasModel: model !== undefined });
  const createApp = answersTasks ? createExecutionApp : createOperationsApp;
  const app = createApp({
    agents: await openZoneAgents(basis, { ...roles, model, builtin }),
    store,
    jobs,
    purges: roles.purges,
    api: roles.api,
    usageOf: roles.usageOf,
    authenticator: await createAuthenticator({ values: config, files, onFileFailure }),
    profile: hostProfiles[config.HOST_PROFILE],
    card: { version: build.version, url: config.EXECUTION_PUBLIC_URL },
    grantFiles: grantConfiguredFiles(config),
    fileLinks: roles.fileLinks,
    now: () => new Date(),
    logger,
    emit: roles.emit,
    metrics,
    health,
    tracer,
    limits: limitsOf(config),
  });
  return {
    app,
    roles,
    health,
    stopLease: jobs.stop,
    stopTracing: tracing.stop,
    closeDatabase: database.close,
  };
}

/** Reads the files of tasks from VERIFICATION_URL; refuses every file when it is not set. */
const grantConfiguredFiles = ({ VERIFICATION_URL: url, ...config }: ExecutionConfig): GrantFiles =>
  url === undefined ? noFiles : createHttpFiles({ url, maxBytes: config.MAX_FILE, timeoutMs: config.FILE_TIMEOUT_MS });

/** Returns the limits in the variables. */
function limitsOf(config: ExecutionConfig): ExecutionDeps["limits"] {
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

interface OpenStore {
  readonly store: TaskStore;
  /** The process's lease has begun. */
  readonly jobs: ZoneJobs;
  readonly database: ExecutionDatabase;
  /** Undefined when no keys are configured. */
  readonly vault: Vault | undefined;
}

/** Opens this process's task store in the configured database. The store is ready while the database accepts writes. */
export async function openStore(
  config: ExecutionConfig,
  { logger, health, metrics }: Telemetry & { readonly health: Health },
): Promise<OpenStore> {
  const database = await openExecutionDatabase({
    url: databaseUrlOf(config, "execution"),
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => logger.warn("database_waited_for", { cause }),
    onIdleError: (cause) => logger.warn("database_connection_lost", { cause }),
    onListenError: (cause) => logger.warn("database_notifications_missing", { cause }),
  });
  health.addCheck("database", () => checkWritable(database));
  const vault = vaultOf(config);
  const jobs = openJobs(database, { leaseMs: config.TASK_LEASE_MS, onCommit: measureCommits(metrics.registry) });
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const retentionMs = config.TASK_RETENTION;
  const store = new TaskStore({ database, jobs: jobs.store, conversations, retentionMs, vault });
  await jobs.start();
  return { store, jobs, database, vault };
}
