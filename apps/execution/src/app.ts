import type { RequestListener } from "node:http";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createDispatcher, defaultLimits, errorToJson, type Dispatch } from "@crosszone/jsonrpc";
import { createTokenBuckets, type BadRequest, type BadRequestAnswer } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { createAgentDirectory } from "./agents/agent-directory.ts";
import { createDescribeZone } from "./card/describe-zone.ts";
import type { ExecutionDeps } from "./deps.ts";
import { createOpenLinkedFile } from "./files/links/open-linked-file.ts";
import { hostProfiles, type HostProfile } from "./host/host-profile.ts";
import { createCardRoute } from "./http/card-route.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { pingAnswer } from "./http/ping.ts";
import type { RequestContext } from "./methods/request-context.ts";
import { createZoneHandlers } from "./methods/zone-handlers.ts";
import { createObservation } from "./observation.ts";
import { showTasks } from "./observe-tasks.ts";
import { createRetention } from "./retention.ts";
import { createTaskRunner } from "./tasks/task-runner.ts";
import { nothingUsed } from "./usage/usage-of.ts";
import { beginRpcSpan, endRpcSpan } from "./tracing/rpc-span.ts";

export interface ExecutionApp {
  /** The HTTP surface, for a server. */
  listener: RequestListener;
  /** Returns the answer to something that never became a request. */
  badRequest: (error: BadRequest) => BadRequestAnswer;
  /** The same methods without HTTP, for use within one process. */
  dispatch: Dispatch<RequestContext>;
  /** Starts to maintain tasks: those running here, those of crashed processes, and old ones. */
  start(): void;
  /** Accepts no more tasks, lets running tasks end within `graceMs` milliseconds, and releases the others. */
  stop(graceMs: number): Promise<void>;
}

/** Creates the execution zone. Reads no environment variables and opens no sockets. */
export function createExecutionApp(deps: ExecutionDeps): ExecutionApp {
  const { store, jobs, now, lendFiles, limits, health, metrics, tracer = createTracer() } = deps;
  const { rpcPath, ping, readiness = false, untypedBodies = false }: HostProfile = deps.profile ?? hostProfiles.plain;
  const { requestsPerMinute: perMinute = 0, requestBurst: capacity = 1 } = limits;
  const observation = createObservation(deps);
  const { registered = [] } = deps.agents;
  const onHidden = observation.agentHidden;
  const agents = createAgentDirectory(deps.agents.all, deps.agents.default, { registered, onHidden });
  const { maxRunning, mostAttempts = 2 } = limits;
  const agentOf = (name: string) => agents.resolve(name);
  const observer = observation.tasks;
  const runner = createTaskRunner({ store, jobs, now, lendFiles, agentOf, maxRunning, mostAttempts, observer, tracer });
  const purges = [{ table: "task", purge: (most: number) => store.forget(most) }, ...(deps.purges ?? [])];
  const retention = createRetention({ ...deps, purges, everyMs: limits.retentionEveryMs });
  showTasks(metrics, { running: () => runner.running, oldestOpenMs: () => store.oldestOpenMs() });

  const describeZone = createDescribeZone({
    ...deps.card,
    rpcPath,
    agents: deps.agents.all,
    scheme: deps.authenticator.scheme,
  });
  const answer = createDispatcher<ZoneMethods, RequestContext>({
    methods: zoneMethods,
    handlers: createZoneHandlers({
      agents,
      store,
      runner,
      describeZone,
      usageOf: deps.usageOf ?? nothingUsed,
      onProgressFailed: observation.progressFailed,
      ...limits,
    }),
    batches: "refuse",
    limits: { ...defaultLimits, maxBytes: limits.maxBytes, maxDepth: limits.maxDepth },
    errorToJson,
    onOutcome: (outcome, context) => {
      context.correlationId = outcome.correlationId;
      endRpcSpan(outcome, context);
      observation.rpcAnswered(outcome, context);
    },
  });
  const traced: Dispatch<RequestContext> = (message, context) => {
    beginRpcSpan(tracer, context);
    return answer(message, context);
  };
  const dispatch = tracer.recording ? traced : answer;
  const newLimit = () => (perMinute > 0 ? createTokenBuckets({ capacity, perMinute }) : undefined);
  const { fileLinks: links } = deps;
  const readerOf = (taskId: string) => runner.readerOf(taskId);
  return {
    listener: createHttpApp({
      rpc: {
        dispatch,
        authenticator: deps.authenticator,
        maxBytes: limits.maxBytes,
        untypedBodies,
        callerLimit: newLimit(),
        onRefused: observation.httpRefused,
      },
      card: createCardRoute(describeZone, deps.card?.url !== undefined),
      api: deps.api,
      files: links && {
        links,
        open: createOpenLinkedFile({ links, store, readerOf, lendFiles }),
        addressLimit: newLimit(),
        onRefused: observation.httpRefused,
      },
      onUnexpected: observation.httpFailed,
      health,
      metrics,
      rpcPath,
      ping: ping ? () => pingAnswer(runner) : undefined,
      readiness,
    }),
    badRequest: observation.httpBroken,
    dispatch,
    start: () => {
      runner.start();
      retention.start();
    },
    stop: async (graceMs) => {
      await Promise.all([retention.stop(), runner.stop(graceMs)]);
    },
  };
}
