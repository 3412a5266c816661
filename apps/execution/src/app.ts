import { createGauge, createTokenBuckets, type Purge, startRetention } from "@crosszone/service-kit";
import { createTracer, type Tracer } from "@crosszone/service-kit/tracing";
import { type AgentDirectory, createAgentDirectory } from "./agents/agent-directory.ts";
import { AskService } from "./ask/ask-service.ts";
import { ProgramRoom } from "./ask/program-room.ts";
import type { ExecutionApp, ExecutionDeps, OperationsApp, OperationsDeps } from "./deps.ts";
import { createOpenLinkedFile } from "./files/open-linked-file.ts";
import { createCardRoute } from "./http/card-route.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { type HostProfile, hostProfiles, pingAnswer } from "./http/host-profile.ts";
import { createBadRequest } from "./http/serve-route.ts";
import { createDescribeZone } from "./methods/describe-zone.ts";
import { createZoneDispatch } from "./methods/zone-handlers.ts";
import { createTaskInputs } from "./tasks/task-inputs.ts";
import { createTaskRunner, type TaskRunner } from "./tasks/task-runner.ts";
import { TaskTails } from "./tasks/task-tails.ts";
import { noToken } from "./tokens/check-token.ts";
import { nothingUsed } from "./usage/sql-usage-reader.ts";

/** Creates the execution zone. Reads no environment variables and opens no sockets. */
export function createExecutionApp(deps: ExecutionDeps): ExecutionApp {
  const { api, store, inputs, grantFiles, fileLinks: links, authenticator, card, emit, limits } = deps;
  const { health, metrics, usageOf = nothingUsed, checkToken = noToken, tracer = createTracer(), purges = [] } = deps;
  const { maxBytes, maxDepth } = limits;
  const profile: HostProfile = deps.profile ?? hostProfiles.plain;
  const { rpcPath, readiness, untypedBodies } = profile;
  const agents = createAgentDirectory(deps.agents, emit);
  const { runner, ask } = createTasks(deps, { agents, tracer });
  const describeZone = createDescribeZone({ ...card, rpcPath, agents: deps.agents.all, scheme: authenticator.scheme });
  const parts = {
    agents,
    store,
    inputRequests: inputs.requests,
    runner,
    limits,
    emit,
    describeZone,
    usageOf,
    checkToken,
  };
  const dispatch = createZoneDispatch(parts, { tracer, maxBytes, maxDepth });
  const open = links && createOpenLinkedFile({ links, store, readerOf: runner.readerOf, grantFiles });
  const tasks = { table: "task", purge: (most: number) => store.forget(most) };
  const retention = createRetention(
    emit,
    [tasks, store.log.purge, inputs.requests.purge, ...purges],
    limits.retentionEveryMs,
  );
  // A new kind of job is one row: `jobs.workOn(kind)`.
  const workers = [runner, retention];
  return {
    listener: createHttpApp({
      rpc: { dispatch, authenticator, maxBytes, untypedBodies, callerLimit: requestLimit(limits), onUse: deps.onUse },
      card: createCardRoute(describeZone, card?.url !== undefined),
      api,
      files: links && open && { open, markFetched: links.markFetched, addressLimit: requestLimit(limits) },
      emit,
      health,
      metrics,
      rpcPath,
      ping: profile.ping ? () => pingAnswer(runner) : undefined,
      readiness,
    }),
    badRequest: createBadRequest(emit),
    dispatch,
    ask,
    start: () => workers.forEach((worker) => worker.start()),
    stop: async (graceMs) => {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)));
    },
  };
}

/** Creates what runs tasks, for verification and for programs. */
function createTasks(
  deps: ExecutionDeps,
  { agents, tracer }: { readonly agents: AgentDirectory; readonly tracer: Tracer },
): { readonly runner: TaskRunner; readonly ask: AskService } {
  const { store, jobs, inputs, grantFiles, now, emit, metrics, limits } = deps;
  const { maxRunning, mostAttempts = 2, taskDeadlineMs } = limits;
  const onFailure = (cause: unknown): void => emit("task_store_failed", { operation: "follow", cause });
  const tails = new TaskTails({ log: store.log, onFailure });
  const runner = createTaskRunner({
    store,
    tails,
    inputs: createTaskInputs(inputs),
    jobs,
    now,
    grantFiles,
    agentOf: agents.resolve,
    maxRunning,
    mostAttempts,
    emit,
    tracer,
  });
  createGauge(metrics.registry, "tasks_running", runner.running);
  createGauge(metrics.registry, "input_requests_open", () => inputs.requests.openCount());
  createGauge(metrics.registry, "task_oldest_open_seconds", async () => (await store.oldestOpenMs()) / 1_000);
  const open = new ProgramRoom({ count: store.asked.openCount, isExact: true });
  const stored = new ProgramRoom({ count: store.asked.storedBytes, isExact: false });
  const asking = { agents, runner, store, open, stored, tails, inputs: inputs.requests, taskDeadlineMs };
  return { runner, ask: new AskService(asking) };
}

/** Creates the app of a process without JSON-RPC. */
export function createOperationsApp(deps: OperationsDeps): OperationsApp {
  const { metrics, health, emit, api, purges = [] } = deps;
  const { start, stop } = createRetention(emit, purges);
  return { listener: createHttpApp({ health, metrics, api, emit }), badRequest: createBadRequest(emit), start, stop };
}

/** Deletes old data from `start` to `stop`: every ten minutes on average by default. */
function createRetention(emit: OperationsDeps["emit"], purges: readonly Purge[], everyMs = 600_000) {
  let running: ReturnType<typeof startRetention> | undefined;
  return {
    start: () => {
      running = startRetention({ purges, everyMs, emit });
    },
    stop: async () => running?.stop(),
  };
}

/** Returns a limit of requests per caller or address; undefined when unlimited. */
function requestLimit({ requestsPerMinute: perMinute = 0, requestBurst: capacity = 1 }: ExecutionDeps["limits"]) {
  return perMinute > 0 ? createTokenBuckets({ capacity, perMinute }) : undefined;
}
