import type { Server } from "node:http";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import {
  createBearerAuth,
  createHttpApp,
  executionEvents,
  observeHttp,
  observeMethods,
  type RequestContext,
} from "@crosszone/execution";
import { createDispatcher, defaultLimits, errorToJson } from "@crosszone/jsonrpc";
import {
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  createTokenBuckets,
} from "@crosszone/service-kit";
import { successResult } from "../messages.ts";

type Edge = Pick<ZoneMethods, "execute_task">;

/**
 * The peers' work behind all that the zone puts before its tasks: token, rate limit, limits of body and connection, a log
 * line and metrics for every request. The log is the real one; the worker's standard output is /dev/null.
 */
export function createEdgeServer(token: string): Server {
  const metrics = createMetrics();
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents });
  const observer = observeHttp({ logger, metrics });
  const dispatch = createDispatcher<Edge, RequestContext>({
    methods: { execute_task: zoneMethods.execute_task },
    handlers: { execute_task: () => successResult() },
    batches: "refuse",
    limits: { ...defaultLimits, maxBytes: 1_048_576 },
    errorToJson,
    onOutcome: observeMethods({ logger, metrics }).answered,
  });
  const app = createHttpApp({
    rpc: {
      dispatch,
      authenticator: createBearerAuth([token], "verification"),
      callerLimit: createTokenBuckets({ capacity: 6_000_000, perMinute: 6_000_000 }),
      maxBytes: 1_048_576,
    },
    observer,
    health: createHealth(),
    metrics,
  });
  return createHttpServer(app);
}
