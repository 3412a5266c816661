import type { Server } from "node:http";
import {
  createBearerAuth,
  createExecutionApp,
  executionEvents,
  noFiles,
  type Agent,
  type TaskStore,
} from "@crosszone/execution";
import { createHealth, createHttpServer, createLogger, createMetrics } from "@crosszone/service-kit";
import { answerText } from "../messages.ts";
import { createMapTaskStore } from "./map-task-store.ts";

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
    syncWindowMs = 5_000,
    maxRunning = 100,
    retentionEveryMs,
  }: { store?: TaskStore; syncWindowMs?: number; maxRunning?: number; retentionEveryMs?: number } = {},
): Server {
  const app = createExecutionApp({
    agents: { all: [agent], default: agent.name },
    store,
    authenticator: createBearerAuth([token], "verification"),
    lendFiles: noFiles,
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
