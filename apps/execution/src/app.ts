import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createDispatcher, defaultLimits, errorToJson, type Dispatch } from "@crosszone/jsonrpc";
import { createTokenBuckets } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { createAgentDirectory } from "./agents/agent-directory.ts";
import { createDescribeZone } from "./methods/describe-zone.ts";
import type { ExecutionApp, ExecutionDeps } from "./deps.ts";
import { createOpenLinkedFile } from "./files/open-linked-file.ts";
import { hostProfiles, type HostProfile } from "./http/host-profile.ts";
import { createCardRoute } from "./http/card-route.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { pingAnswer } from "./http/ping.ts";
import type { RequestContext } from "./methods/request-context.ts";
import { createZoneHandlers } from "./methods/zone-handlers.ts";
import { createObservation } from "./observers/observation.ts";
import { showTasks } from "./observers/observe-tasks.ts";
import { createRetention } from "./operations-app.ts";
import { createTaskRunner } from "./tasks/task-runner.ts";
import { nothingUsed } from "./usage/sql-usage-reader.ts";
import { beginRpcSpan, endRpcSpan } from "./observers/rpc-span.ts";

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
