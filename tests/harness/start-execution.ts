import { createBuiltinAgent } from "@crosszone/builtin-agent";
import type { AuditEvent } from "@crosszone/contracts";
import {
  createBearerAuth,
  createExecutionApp,
  createZoneEmit,
  loadExecutionConfig,
  measureCommits,
  measureRunning,
  noFiles,
  openAsk,
  openRoles,
  openTaskStore,
  type Agent,
  type ExecutionApp,
  type ExecutionDeps,
  type OpenRoles,
} from "@crosszone/execution";
import { close, createHealth, createHttpServer, createLogger, createMetrics, listen } from "@crosszone/service-kit";
import { startTracing } from "@crosszone/service-kit/tracing";
import { executionEvents } from "@crosszone/telemetry";
import { tunedConstants } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import type { RequestListener } from "node:http";
import type { LogLine } from "./start-process.ts";

export interface Execution {
  /** The token of callers. */
  token: string;
  url: string;
  app: ExecutionApp;
  /** The surface for programs; undefined without ASK_PORT. */
  programs: RequestListener | undefined;
  /** Returns the events of the audit log, oldest first. */
  acts(): Promise<readonly AuditEvent[]>;
  stop(): Promise<void>;
}

export interface ExecutionOptions {
  agents?: readonly Agent[];
  token: string;
  limits?: Partial<ExecutionDeps["limits"]>;
  port?: number;
  /** URL of its database. Default: in memory. */
  database?: string;
  /** Replaces dependencies of the zone. */
  override?: (deps: ExecutionDeps) => Partial<ExecutionDeps>;
  /** Environment variables, for example for tracing or registered agents. */
  env?: Record<string, string>;
  log: LogLine[];
}

const defaultLimits = {
  maxBytes: 1 << 20,
  maxDepth: 64,
  maxRunning: 100,
  syncWindowMs: 300,
  maxWaitMs: 1_000,
  taskDeadlineMs: 20_000,
};

/** Starts the execution zone on an HTTP server on loopback, by default with its built-in agent. */
export async function startExecution(options: ExecutionOptions): Promise<Execution> {
  const { agents, token, limits, port = 0, override, env = {}, log, database: databaseUrl } = options;
  const all = agents ?? [createBuiltinAgent()];
  const build = { zone: "execution", version: "0.0.0" };
  const logger = createLogger({
    zone: build.zone,
    level: "debug",
    events: executionEvents,
    destination: { write: (line) => void log.push(JSON.parse(line) as LogLine) },
  });
  const config = { ...loadExecutionConfig(env).values, ...tunedConstants(env) };
  const tracing = await startTracing({ ...build, config, logger });
  const metrics = createMetrics(build);
  const { store, jobs, database } = await openTaskStore({
    onCommit: measureCommits(metrics.registry),
    url: databaseUrl,
  });
  measureRunning(metrics.registry, jobs);
  const health = createHealth();
  const agentNames = new Set<string>();
  const emit = createZoneEmit({ logger, metrics }, agentNames);
  const roles = await openRoles({ config, environment: env, database, jobs, metrics, health, emit, agentNames });
  const deps: ExecutionDeps = {
    agents: { all, default: all[0]?.name ?? "", registered: roles.registered },
    store,
    jobs,
    inputs: roles.inputs,
    purges: roles.purges,
    api: roles.api,
    authenticator: createBearerAuth([token], "verification"),
    grantFiles: noFiles,
    fileLinks: roles.fileLinks,
    usageOf: roles.usageOf,
    now: () => new Date(),
    logger,
    emit,
    metrics,
    tracer: tracing.tracer,
    health,
    limits: { ...defaultLimits, ...limits },
  };
  const app = createExecutionApp({ ...deps, ...override?.(deps) });
  await roles.start();
  app.start();
  const server = createHttpServer(app.listener, { onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port });
  return {
    url,
    token,
    app,
    programs: openAsk({ config, ask: app.ask, asking: roles.asking, health, emit, version: build.version }),
    acts: () => readActs(database),
    stop: async () => {
      await Promise.all([app.stop(0), roles.stop(0)]);
      await roles.close();
      await close(server, { deadlineMs: 500 });
      await tracing.stop();
      await database.close();
    },
  };
}

async function readActs({ db }: Awaited<ReturnType<typeof openTaskStore>>["database"]): Promise<AuditEvent[]> {
  const rows = await db.selectFrom("audit_event").select("event").orderBy("id").execute();
  return rows.map(({ event }) => JSON.parse(event) as AuditEvent);
}

/** A process of the execution zone without an HTTP server, before `start`. */
export interface WithoutHttp extends OpenRoles {
  readonly log: readonly LogLine[];
  /** Resolves with the text of `/metrics`. */
  readonly shown: () => Promise<string>;
}

/** Opens the roles of a process on a database that other processes may use too. Ends with the test. */
export async function openWithoutHttp(url: string, env: Record<string, string>): Promise<WithoutHttp> {
  const config = { ...loadExecutionConfig(env).values, ...tunedConstants(env) };
  const log: LogLine[] = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  const [metrics, health] = [createMetrics(), createHealth()];
  const emit = createZoneEmit({ logger, metrics });
  const { database, jobs } = await openTaskStore({ url, emit });
  const roles = await openRoles({ config, environment: env, database, jobs, metrics, health, emit });
  onTestFinished(async () => {
    await roles.stop(1_000);
    await roles.close();
    await database.close();
  });
  return { ...roles, log, shown: async () => (await metrics.render()).body };
}
