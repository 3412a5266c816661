import type { Server } from "node:http";
import {
  createBearerAuth,
  createExecutionApp,
  noFiles,
  openTaskStore,
  type Agent,
  type ExecutionDeps,
  type TaskStore,
} from "@crosszone/execution";
import { createHealth, createHttpServer, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { answerText } from "../../requests/messages.ts";
import { createMapTaskStore, noJobs } from "./map-task-store.ts";

const agent: Agent = {
  name: "prompt",
  description: "Answers at once",
  skills: [],
  run: async () => ({ response_text: answerText }),
};

/**
 * The whole zone, which does more than the peers: the edge, and behind it a task for each request, with a state, a deadline, and
 * two more log lines.
 */
export function createExecutionServer(
  token: string,
  {
    store = createMapTaskStore(),
    jobs = noJobs,
    syncWindowMs = 5_000,
    maxRunning = 100,
    retentionEveryMs,
  }: {
    store?: TaskStore;
    jobs?: ExecutionDeps["jobs"];
    syncWindowMs?: number;
    maxRunning?: number;
    retentionEveryMs?: number;
  } = {},
): Server {
  const app = createExecutionApp({
    agents: { all: [agent], default: agent.name },
    store,
    jobs,
    authenticator: createBearerAuth([token], "verification"),
    grantFiles: noFiles,
    now: () => new Date(),
    logger: createLogger({ zone: "execution", level: "info", events: executionEvents }),
    metrics: createMetrics(),
    health: createHealth(),
    limits: {
      maxBytes: 1_048_576,
      maxDepth: 64,
      requestsPerMinute: 6_000_000,
      requestBurst: 6_000_000,
      maxRunning,
      syncWindowMs,
      maxWaitMs: 25_000,
      taskDeadlineMs: 600_000,
      ...(retentionEveryMs !== undefined && { retentionEveryMs }),
    },
  });
  app.start();
  return createHttpServer(app.listener, { onBadRequest: app.badRequest });
}

/** The same with its tasks in a database: each is on disk before it runs, and again when it has ended. */
export async function createDurableExecutionServer(token: string, url: string): Promise<Server> {
  const { store, jobs } = await openTaskStore({ url, retentionMs: 3_600_000 });
  return createExecutionServer(token, { store, jobs, maxRunning: 10_000, retentionEveryMs: 1_000 });
}
