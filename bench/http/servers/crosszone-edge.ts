import type { Server } from "node:http";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import {
  createBearerAuth,
  createHttpApp,
  createObservation,
  executionEvents,
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
import { successResult } from "../../requests/messages.ts";

type Edge = Pick<ZoneMethods, "execute_task">;

/**
 * The peers' work behind all that the zone puts before its tasks: token, rate limit, limits of body and connection, a log
 * line and metrics for every request. The log is the real one; the worker's standard output is /dev/null.
 */
export function createEdgeServer(token: string): Server {
  const metrics = createMetrics();
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents });
  const observation = createObservation({ logger, metrics });
  const dispatch = createDispatcher<Edge, RequestContext>({
    methods: { execute_task: zoneMethods.execute_task },
    handlers: { execute_task: () => successResult() },
    batches: "refuse",
    limits: { ...defaultLimits, maxBytes: 1_048_576 },
    errorToJson,
    onOutcome: observation.rpcAnswered,
  });
  const app = createHttpApp({
    rpc: {
      dispatch,
      authenticator: createBearerAuth([token], "verification"),
      callerLimit: createTokenBuckets({ capacity: 6_000_000, perMinute: 6_000_000 }),
      maxBytes: 1_048_576,
      onRefused: observation.httpRefused,
    },
    onUnexpected: observation.httpFailed,
    health: createHealth(),
    metrics,
  });
  return createHttpServer(app);
}
