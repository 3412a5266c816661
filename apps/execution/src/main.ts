import {
  close,
  ConfigError,
  createGracefulStop,
  createHttpServer,
  createLogger,
  createWaitingListener,
  httpLimits,
  listen,
  ListenError,
  logsContent,
  openFilesWarnings,
  packageVersion,
} from "@crosszone/service-kit";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import { DatabaseUnavailableError } from "@crosszone/sql";
import { executionEvents } from "@crosszone/telemetry";
import { callerAuthOf, serverTls } from "./zone/config/callers.ts";
import { loadExecutionConfig } from "./zone/config/config.ts";
import { chooseListening } from "./doors/host-profile.ts";
import type { KeysToCompare } from "./zone/open-store.ts";
import { executionTables, sealedOfTheZone } from "./zone/ops/data.ts";
import { openZone } from "./zone/open-zone.ts";

async function main(): Promise<void> {
  const loaded = loadExecutionConfig(process.env);
  const { values: config, warnings } = loaded;
  const build = { zone: "execution", version: packageVersion(import.meta.url) };
  const content = logsContent(config);
  const logger = createLogger({ zone: build.zone, level: config.LOG_LEVEL, events: executionEvents, content });
  logger.info("log_content", { shown: content });
  for (const warning of [...warnings, ...openFilesWarnings(config)]) logger.warn("config_warning", { warning });
  const auth = callerAuthOf(config);
  const profile = config.HOST_PROFILE;
  if (auth === "platform") logger.warn("callers_not_checked", { because: `CALLER_AUTH=platform on ${profile}` });
  const onFileFailure = (cause: unknown): void => logger.error("file_not_usable", { cause });
  const tls = serverTls(config, onFileFailure);
  const set = { host: config.EXECUTION_HOST, port: config.EXECUTION_PORT, hostPort: config.PORT };
  const where = chooseListening(profile, set);
  const hold: KeysToCompare["hold"] = async (served) => {
    const waiting = createHttpServer(createWaitingListener(served), { ...httpLimits(config), tls });
    served.metrics.listensOn((await listen(waiting, where)).port);
    return () => close(waiting, { deadlineMs: 1_000 });
  };
  const keys = { tables: [...executionTables, ...sealedOfTheZone], hold };
  const zone = await openZone(loaded, { build, environment: process.env, logger, onFileFailure, keys });
  const { app, roles, ask } = zone;

  const limits = { ...httpLimits(config), onBadRequest: app.badRequest };
  const server = createHttpServer(app.listener, { ...limits, tls });
  // Programs prove who they are with tokens.
  const askServer = ask && createHttpServer(ask, { ...limits, tls: tls && { ...tls, askClients: false } });
  const graceMs = config.STOP_GRACE_MS;
  const graceful = createGracefulStop({ deadlineMs: graceMs + 16_000, logger, onSignal: zone.health.markStopping });
  graceful.install();
  const { host, port, url } = await listen(server, where);
  zone.metrics.listensOn(port);
  const asked = askServer && (await listen(askServer, { host, port: config.ASK_PORT ?? 0, portVariable: "ASK_PORT" }));
  // Stopped in reverse order: tasks end first, so that waiting callers get their answer before the server closes.
  graceful.add("database", zone.closeDatabase, { timeoutMs: 1_000 });
  graceful.add("lease", zone.stopLease, { timeoutMs: 1_000 });
  graceful.add("tracing", zone.stopTracing, { timeoutMs: 3_000 });
  graceful.add("http server", (signal) => close(server, { deadlineMs: 4_000, signal }), { timeoutMs: 5_000 });
  if (askServer)
    graceful.add("ask server", (signal) => close(askServer, { deadlineMs: 4_000, signal }), { timeoutMs: 5_000 });
  graceful.add("bus", roles.close, { timeoutMs: 3_000 });
  const stopTasks = () => Promise.all([app.stop(graceMs), roles.stop(graceMs)]);
  graceful.add("tasks", stopTasks, { timeoutMs: graceMs + 3_000 });
  await roles.start();
  app.start();
  logger.info("listening", { host, port, url, profile, auth, roles: config.EXECUTION_ROLES });
  if (asked) logger.info("ask_listening", { ...asked });
}

try {
  await main();
} catch (error) {
  const known = [ConfigError, ListenError, DatabaseUnavailableError, FileProblemsError];
  if (!known.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
