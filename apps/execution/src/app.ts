import { createGauge, createTokenBuckets } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { type AgentDirectory, createAgentDirectory } from "./agents/agent-directory.ts";
import type { ExecutionApp, ExecutionDeps } from "./deps.ts";
import { createOpenLinkedFile } from "./files/open-linked-file.ts";
import { createCardRoute } from "./http/card-route.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { type HostProfile, hostProfiles, pingAnswer } from "./http/host-profile.ts";
import { createBadRequest } from "./http/serve-route.ts";
import { createDescribeZone } from "./methods/describe-zone.ts";
import { createZoneDispatch } from "./methods/zone-handlers.ts";
import { createRetention } from "./operations-app.ts";
import { createTaskRunner, type TaskRunner } from "./tasks/task-runner.ts";
import { nothingUsed } from "./usage/sql-usage-reader.ts";

/** Creates the execution zone. Reads no environment variables and opens no sockets. */
export function createExecutionApp(deps: ExecutionDeps): ExecutionApp {
  const { store, limits, health, metrics, authenticator, api, emit } = deps;
  const profile: HostProfile = deps.profile ?? hostProfiles.plain;
  const { rpcPath, ping, readiness = false, untypedBodies = false } = profile;
  const agents = createAgentDirectory(deps.agents.all, deps.agents.default, {
    registered: deps.agents.registered ?? [],
    onHidden: ({ name, kind = "agent" }) => deps.logger.warn("agent_hidden", { agent_name: name, agent_kind: kind }),
  });
  const runner = createRunner(deps, agents);
  const purges = [{ table: "task", purge: (most: number) => store.forget(most) }, ...(deps.purges ?? [])];
  const retention = createRetention({ ...deps, purges, everyMs: limits.retentionEveryMs });
  const { scheme } = deps.authenticator;
  const describeZone = createDescribeZone({ ...deps.card, rpcPath, agents: deps.agents.all, scheme });
  const dispatch = createZoneDispatch({
    ...limits,
    agents,
    store,
    runner,
    describeZone,
    usageOf: deps.usageOf ?? nothingUsed,
    tracer: deps.tracer,
    emit,
  });
  const { maxBytes } = limits;
  return {
    listener: createHttpApp({
      rpc: { dispatch, authenticator, maxBytes, untypedBodies, callerLimit: requestLimit(limits) },
      card: createCardRoute(describeZone, deps.card?.url !== undefined),
      api,
      files: linkedFiles(deps, runner),
      emit,
      health,
      metrics,
      rpcPath,
      ping: ping ? () => pingAnswer(runner) : undefined,
      readiness,
    }),
    badRequest: createBadRequest(emit),
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

function createRunner(deps: ExecutionDeps, agents: AgentDirectory): TaskRunner {
  const { store, jobs, now, grantFiles, emit, tracer = createTracer() } = deps;
  const { registry } = deps.metrics;
  const { maxRunning, mostAttempts = 2 } = deps.limits;
  const agentOf = (name: string) => agents.resolve(name);
  const runner = createTaskRunner({
    store,
    jobs,
    now,
    grantFiles,
    agentOf,
    maxRunning,
    mostAttempts,
    emit,
    tracer,
  });
  createGauge(registry, "tasks_running", runner.running);
  createGauge(registry, "task_oldest_open_seconds", async () => (await store.oldestOpenMs()) / 1_000);
  return runner;
}

/** The files that agents download by links. */
function linkedFiles({ fileLinks: links, store, grantFiles, limits }: ExecutionDeps, { readerOf }: TaskRunner) {
  const open = links && createOpenLinkedFile({ links, store, readerOf, grantFiles });
  return links && open && { links, open, addressLimit: requestLimit(limits) };
}

/** Returns a limit of requests per caller or address; undefined when unlimited. */
function requestLimit({ requestsPerMinute: perMinute = 0, requestBurst: capacity = 1 }: ExecutionDeps["limits"]) {
  return perMinute > 0 ? createTokenBuckets({ capacity, perMinute }) : undefined;
}
