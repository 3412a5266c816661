import {
  close,
  ConfigError,
  createGracefulStop,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  httpLimits,
  listen,
  ListenError,
  openFilesWarnings,
  packageVersion,
} from "@crosszone/service-kit";
import { startTracing } from "@crosszone/service-kit/tracing";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import { DatabaseUnavailableError } from "@crosszone/sql";
import { createBuiltinOnThreads } from "./agents/threads/worker-agent.ts";
import { createExecutionApp } from "./app.ts";
import { authKindOf } from "./config/check-callers.ts";
import { type ExecutionConfig, loadExecutionConfig } from "./config/config.ts";
import type { ExecutionDeps } from "./deps.ts";
import { createHttpFiles, noFiles } from "./files/http-files.ts";
import { chooseListening, hostProfiles } from "./http/host-profile.ts";
import { executionEvents } from "./observers/log-events.ts";
import { observeAgents } from "./observers/observe-agents.ts";
import { createOperationsApp } from "./operations-app.ts";
import { connectModel } from "./roles/connect-model.ts";
import { createAuthenticator, serverTls } from "./roles/create-authenticator.ts";
import { openRoles } from "./roles/open-roles.ts";
import { openStore } from "./roles/open-store.ts";
import { openZoneAgents } from "./roles/open-zone-agents.ts";
import type { GrantFiles } from "./tasks/grant-files.ts";

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

async function main(): Promise<void> {
  const { values: config, warnings, files } = loadExecutionConfig(process.env);
  const build = { zone: "execution", version: packageVersion(import.meta.url) };
  const logger = createLogger({ zone: build.zone, level: config.LOG_LEVEL, events: executionEvents });
  for (const warning of [...warnings, ...openFilesWarnings(config)]) logger.warn("config_warning", { warning });
  const onFileFailure = (cause: unknown): void => logger.error("file_not_usable", { cause });
  const model = await connectModel(config);
  const tracing = await startTracing({ ...build, config, logger });
  const [health, metrics] = [createHealth(), createMetrics(build)];
  const { store, jobs, database, vault } = await openStore(config, { logger, health, metrics });
  const { tracer } = tracing;
  const basis = { config, database, jobs, vault, logger, metrics, health, tracer };
  const parts = await openRoles(basis, process.env).catch(async (error: unknown) => {
    await Promise.all([jobs.stop().then(database.close), tracing.stop()]);
    throw error;
  });
  const profile = config.HOST_PROFILE;
  const builtin = createBuiltinOnThreads(config.AGENT_THREADS, {
    hasModel: model !== undefined,
    onThreadEnded: observeAgents({ logger }).threadEnded,
  });
  const auth = authKindOf(config);
  if (auth === "platform") logger.warn("callers_not_checked", { because: `CALLER_AUTH=platform on ${profile}` });

  const createApp = config.EXECUTION_ROLES.includes("rpc") ? createExecutionApp : createOperationsApp;
  const app = createApp({
    agents: await openZoneAgents(basis, { ...parts, model, builtin: builtin.agent }),
    store,
    jobs,
    purges: parts.purges,
    api: parts.api,
    usageOf: parts.usageOf,
    authenticator: await createAuthenticator({ values: config, files, onFileFailure }),
    profile: hostProfiles[profile],
    card: { version: build.version, url: config.EXECUTION_PUBLIC_URL },
    grantFiles: grantConfiguredFiles(config),
    fileLinks: parts.fileLinks,
    now: () => new Date(),
    logger,
    metrics,
    health,
    tracer,
    limits: limitsOf(config),
  });

  const tls = serverTls(config, onFileFailure);
  const server = createHttpServer(app.listener, {
    ...httpLimits(config),
    onBadRequest: app.badRequest,
    ...(tls && { tls }),
  });
  const graceMs = config.STOP_GRACE;
  const graceful = createGracefulStop({ deadlineMs: graceMs + 16_000, logger, onSignal: health.markStopping });
  graceful.install();
  const said = { host: config.EXECUTION_HOST, port: config.EXECUTION_PORT, hostPort: config.PORT };
  const { host, port, url } = await listen(server, chooseListening(profile, said));
  // Stopped in reverse order: tasks end first, so that waiting callers get their answer before the server closes.
  graceful.add("database", database.close, { timeoutMs: 1_000 });
  graceful.add("lease", jobs.stop, { timeoutMs: 1_000 });
  graceful.add("tracing", tracing.stop, { timeoutMs: 3_000 });
  graceful.add("http server", (signal) => close(server, { deadlineMs: 4_000, signal }), { timeoutMs: 5_000 });
  graceful.add("bus", parts.close, { timeoutMs: 3_000 });
  graceful.add("agent threads", builtin.close, { timeoutMs: 1_000 });
  const stopTasks = () => Promise.all([app.stop(graceMs), parts.stop(graceMs)]);
  graceful.add("tasks", stopTasks, { timeoutMs: graceMs + 3_000 });
  await parts.start();
  app.start();
  logger.info("listening", { host, port, url, profile, auth, roles: config.EXECUTION_ROLES });
}

try {
  await main();
} catch (error) {
  const said = [ConfigError, ListenError, DatabaseUnavailableError, FileProblemsError];
  if (!said.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
