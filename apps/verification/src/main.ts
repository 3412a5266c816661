import {
  close,
  ConfigError,
  createGracefulStop,
  createHttpServer,
  createLogger,
  createWaitingListener,
  createMetrics,
  httpLimits,
  listen,
  ListenError,
  logsContent,
  openFilesWarnings,
  packageVersion,
} from "@crosszone/service-kit";
import { DatabaseUnavailableError } from "@crosszone/sql";
import { startTracing } from "@crosszone/service-kit/tracing";
import { verificationEvents } from "@crosszone/telemetry";
import { VerificationApp } from "./zone/app.ts";
import { loadVerificationConfig } from "./zone/config.ts";
import { openVerificationZone } from "./zone/open-zone.ts";
import { createViewApi, type ViewApiDeps } from "./edge/view-api.ts";
import { warmUp } from "./zone/warm-up.ts";

/** Shutdown time beyond that of the questions: for the server and the transport, milliseconds. */
const stopMarginMs = 5_000;

async function main(): Promise<void> {
  const loaded = loadVerificationConfig(process.env);
  const { values: config, warnings } = loaded;
  const build = { zone: "verification", version: packageVersion(import.meta.url) };
  const content = logsContent(config);
  const logger = createLogger({ zone: build.zone, level: config.LOG_LEVEL, events: verificationEvents, content });
  logger.info("log_content", { shown: content });
  for (const warning of [...warnings, ...openFilesWarnings(config)]) logger.warn("config_warning", { warning });

  const tracing = await startTracing({ ...build, config, logger });
  const { tracer } = tracing;
  const metrics = createMetrics(build);
  const where = {
    host: config.VERIFICATION_HOST,
    port: config.VERIFICATION_PORT,
    portVariable: "VERIFICATION_PORT",
  };
  const { deps, transport, database, stopKeys } = await openVerificationZone(loaded, {
    logger,
    metrics,
    tracer,
    hold: async (health) => {
      const waiting = createHttpServer(createWaitingListener({ health, metrics }), httpLimits(config));
      metrics.listensOn((await listen(waiting, where)).port);
      return () => close(waiting, { deadlineMs: 1_000 });
    },
  });
  const app = new VerificationApp(deps);
  const server = createHttpServer(app.listener, { ...httpLimits(config), onBadRequest: app.badRequest });

  const graceMs = config.STOP_GRACE_MS;
  const stop = createGracefulStop({
    deadlineMs: graceMs + 3 * stopMarginMs,
    logger,
    onSignal: () => deps.health.markStopping(),
  });
  stop.install();
  stop.add("tracing", tracing.stop, { timeoutMs: 3_000 });
  stop.add("database", () => stopKeys().then(() => database.close()), { timeoutMs: 1_000 });
  stop.add("audit", () => deps.audit.close(), { timeoutMs: stopMarginMs });
  stop.add("transport", () => transport.close(), { timeoutMs: 1_000 });
  stop.add("questions", () => app.stop(graceMs), { timeoutMs: graceMs + stopMarginMs });
  // Open connections are cut at the deadline, which must precede the step's own timeout.
  stop.add("http", (signal) => close(server, { deadlineMs: stopMarginMs - 1_000, signal }), {
    timeoutMs: stopMarginMs,
  });

  const address = await listen(server, where);
  metrics.listensOn(address.port);
  logger.info("listening", { url: address.url });
  await startViewApi();
  // A development server starts again and again, and answers one person.
  if (process.env["NODE_ENV"] === "production") {
    const limits = { mostMs: config.WARM_UP_MS, mostQuestions: config.WARM_UP_QUESTIONS };
    logger.info("warmed_up", { ...(await warmUp(config, limits).catch((cause: unknown) => ({ cause }))) });
  }
  await app.start();

  async function startViewApi(): Promise<void> {
    const { VERIFICATION_VIEW_PORT: viewPort } = config;
    const { zone, audit } = deps;
    if (viewPort === undefined) return;
    const onFailure = (cause: unknown): void => logger.error("inbox_failed", { cause });
    const onRefused: ViewApiDeps["onRefused"] = ({ kind, method, act: { actor: by, scope, correlationId, from } }) =>
      logger.warn("api_refused", { kind, method, by, scope, correlation_id: correlationId, ...from });
    const view = createHttpServer(createViewApi({ zone, audit, onRefused, onFailure }), httpLimits(config));
    stop.add("view", (signal) => close(view, { deadlineMs: 1_000, signal }), { timeoutMs: stopMarginMs });
    await listen(view, { host: config.VERIFICATION_HOST, port: viewPort, portVariable: "VERIFICATION_VIEW_PORT" });
  }
}

try {
  await main();
} catch (error) {
  const forPeople = [ConfigError, ListenError, DatabaseUnavailableError].some((kind) => error instanceof kind);
  if (!(error instanceof Error) || !forPeople) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
