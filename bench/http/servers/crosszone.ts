import { createServer, type Server } from "node:http";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import {
  createBearerAuth,
  createExecutionApp,
  createHttpApp,
  createOpenAuth,
  hostProfiles,
  noFiles,
  reportMessage,
  openInputs,
  openStoredRoom,
  openTaskStore,
  type Agent,
  type RequestContext,
  Schedules,
} from "@crosszone/execution";
import { createDispatcher, defaultLimits } from "@crosszone/jsonrpc";
import { type AppendAudit, createAppendAudit } from "@crosszone/audit";
import {
  createHealth,
  createHttpServer,
  createRecordCodec,
  createMetrics,
  createTokenBuckets,
} from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { zoneTelemetry } from "../../zone/telemetry.ts";
import { answerText, successResult } from "../messages.ts";

type Method = Pick<ZoneMethods, "execute_task">;

const maxBytes = 1_048_576;
const surface = {
  methods: { execute_task: zoneMethods.execute_task },
  handlers: { execute_task: () => successResult },
  batches: "refuse",
} as const;

/** The work of the peers, done by our parts: the zone's HTTP surface, and the dispatcher with its checks of params and result. */
export function createCoreServer(): Server {
  const dispatch = createDispatcher<Method, RequestContext>(surface);
  return createServer(
    createHttpApp({
      rpc: { dispatch, authenticator: createOpenAuth(), maxBytes },
      emit: () => undefined,
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
  const { emit, metrics } = zoneTelemetry();
  const dispatch = createDispatcher<Method, RequestContext>({
    ...surface,
    limits: { ...defaultLimits, maxBytes },
    onOutcome: (outcome, context) => reportMessage(emit, outcome, context),
  });
  const app = createHttpApp({
    rpc: {
      dispatch,
      authenticator: createBearerAuth([token], "verification"),
      callerLimit: createTokenBuckets({ capacity: 6_000_000, perMinute: 6_000_000 }),
      maxBytes,
    },
    emit,
    health: createHealth(),
    metrics,
  });
  return createHttpServer(app);
}

const agent: Agent = {
  name: "prompt",
  description: "Answers at once",
  skills: [],
  run: async () => ({ response_text: answerText }),
};

/**
 * The whole zone, which does more than the peers: the edge, and behind it a task for each request, with a state, a deadline, and two more log
 * lines. Each task is on disk before it runs, and again when it has ended.
 */
export async function createExecutionServer(token: string, url: string): Promise<Server> {
  const { app } = await startZone({ token, url });
  return createHttpServer(app.listener, { onBadRequest: app.badRequest });
}

/** No benchmark calls these methods. */
const unasked = (): Promise<never> => Promise.reject(new Error("not served here"));

export type ZoneDatabase = Awaited<ReturnType<typeof openTaskStore>>["database"];

interface ZonePlan {
  readonly token: string;
  readonly url: string;
  readonly agents?: readonly Agent[];
  readonly openLog?: (database: ZoneDatabase) => Promise<AppendAudit>;
}

/** Starts a zone. `openLog` returns what appends to its audit log. */
export async function startZone({ token, url, agents = [agent], openLog }: ZonePlan) {
  const telemetry = zoneTelemetry();
  const retentionMs = 3_600_000;
  const zone = await openTaskStore({ url, retentionMs, emit: telemetry.emit });
  const plain = createAppendAudit({ engine: zone.database.engine, codec: createRecordCodec(undefined) });
  const append = (await openLog?.(zone.database)) ?? plain;
  const inputs = openInputs({ ...zone, append, retentionMs, emit: telemetry.emit });
  const health = createHealth();
  const app = createExecutionApp({
    agents: { all: agents, default: agents[0]?.name ?? "" },
    ...zone,
    inputs,
    stored: openStoredRoom({ ...zone, ...telemetry }).room,
    usageOf: unasked,
    checkToken: unasked,
    schedules: new Schedules(zone.database, { append, emit: telemetry.emit, retentionMs }),
    authenticator: createBearerAuth([token], "verification"),
    grantFiles: noFiles,
    now: () => new Date(),
    ...telemetry,
    tracer: createTracer(),
    profile: hostProfiles.plain,
    health,
    limits: {
      maxBytes,
      maxDepth: 64,
      requestsPerMinute: 6_000_000,
      requestBurst: 6_000_000,
      maxRunning: 10_000,
      mostAttempts: 2,
      syncWindowMs: 5_000,
      maxWaitMs: 25_000,
      taskDeadlineMs: 600_000,
      retentionEveryMs: 1_000,
    },
  });
  app.start();
  return { app, database: zone.database, health, emit: telemetry.emit };
}
