import { createServer, type Server } from "node:http";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import {
  createBearerAuth,
  createHttpApp,
  createOpenAuth,
  observeHttp,
  observeMethods,
  silentHttpObserver,
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
import { executionEvents } from "@crosszone/telemetry";
import { successResult } from "../../requests/messages.ts";

type Method = Pick<ZoneMethods, "execute_task">;

const maxBytes = 1_048_576;
const surface = {
  methods: { execute_task: zoneMethods.execute_task },
  handlers: { execute_task: () => successResult() },
  batches: "refuse",
  errorToJson,
} as const;

/** The work of the peers, done by our parts: the zone's HTTP surface, and the dispatcher with its checks of params and result. */
export function createCoreServer(): Server {
  const dispatch = createDispatcher<Method, RequestContext>(surface);
  return createServer(
    createHttpApp({
      rpc: { dispatch, authenticator: createOpenAuth(), maxBytes },
      observer: silentHttpObserver,
      health: createHealth(),
      metrics: createMetrics(),
    }),
  );
}

/**
 * The peers' work behind all that the zone puts before its tasks: token, rate limit, limits of body and connection, a log line and metrics for
 * every request. The log is the real one; the worker's standard output is /dev/null.
 */
export function createEdgeServer(token: string): Server {
  const metrics = createMetrics();
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents });
  const observer = observeHttp({ logger, metrics });
  const dispatch = createDispatcher<Method, RequestContext>({
    ...surface,
    limits: { ...defaultLimits, maxBytes },
    onOutcome: observeMethods({ logger, metrics }).answered,
  });
  const app = createHttpApp({
    rpc: {
      dispatch,
      authenticator: createBearerAuth([token], "verification"),
      callerLimit: createTokenBuckets({ capacity: 6_000_000, perMinute: 6_000_000 }),
      maxBytes,
    },
    observer,
    health: createHealth(),
    metrics,
  });
  return createHttpServer(app);
}
