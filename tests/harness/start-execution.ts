import {
  createBearerAuth,
  createBuiltinAgent,
  createExecutionApp,
  createInMemoryTaskStore,
  executionEvents,
  noFiles,
  type Agent,
  type ExecutionApp,
  type ExecutionDeps,
} from "@crosszone/execution";
import { close, createHealth, createHttpServer, createLogger, createMetrics, listen } from "@crosszone/service-kit";
import type { LogLine } from "./log-lines.ts";

export interface Execution {
  url: string;
  app: ExecutionApp;
  stop(): Promise<void>;
}

export interface ExecutionOptions {
  agents?: readonly Agent[];
  token: string;
  limits?: Partial<ExecutionDeps["limits"]>;
  port?: number;
  /** What differs from a zone of its own. */
  override?: (deps: ExecutionDeps) => Partial<ExecutionDeps>;
  log: LogLine[];
}

/** The execution zone behind a real HTTP server on loopback, with its own built-in agent unless others are given. */
export async function startExecution({
  agents,
  token,
  limits,
  port = 0,
  override,
  log,
}: ExecutionOptions): Promise<Execution> {
  const all = agents ?? [createBuiltinAgent()];
  const deps: ExecutionDeps = {
    agents: { all, default: all[0]?.name ?? "" },
    store: createInMemoryTaskStore({ now: Date.now, retentionMs: 600_000, maxFinished: 10_000 }),
    authenticator: createBearerAuth([token], "verification"),
    lendFiles: noFiles,
    now: () => new Date(),
    logger: createLogger({
      zone: "execution",
      level: "debug",
      events: executionEvents,
      destination: { write: (line) => void log.push(JSON.parse(line) as LogLine) },
    }),
    metrics: createMetrics(),
    health: createHealth(),
    limits: {
      maxBytes: 1 << 20,
      maxRunning: 100,
      syncWindowMs: 300,
      maxWaitMs: 1_000,
      taskDeadlineMs: 20_000,
      ...limits,
    },
  };
  const app = createExecutionApp({ ...deps, ...override?.(deps) });
  const server = createHttpServer(app.listener, { onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port });
  return {
    url,
    app,
    stop: async () => {
      await app.stop(0);
      await close(server, { deadlineMs: 500 });
    },
  };
}
