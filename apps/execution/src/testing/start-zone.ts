import { randomUUID } from "node:crypto";
import type { JsonRpcResponse } from "@crosszone/contracts";
import type { JobWorker } from "@crosszone/jobs";
import { close, createHealth, createHttpServer, createLogger, createMetrics, listen } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { executionEvents } from "@crosszone/telemetry";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import { createExecutionApp } from "../app.ts";
import { createZoneEmit } from "../observers/create-emit.ts";
import type { ExecutionApp, ExecutionDeps } from "../deps.ts";
import { hostProfiles, type HostProfile } from "../http/host-profile.ts";
import { noFiles } from "../files/http-files.ts";
import { type Authenticator, createBearerAuth, createOpenAuth } from "../http/auth/authenticator.ts";
import { createInputKind } from "../inputs/input-kind.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import { openInputs } from "../roles/open-inputs.ts";
import { openTaskStore } from "../tasks/sql/open-task-store.ts";

export interface TestZone {
  url: string;
  app: ExecutionApp;
  inputs: ExecutionDeps["inputs"];
  /** The log, one parsed line each. */
  log: Record<string, unknown>[];
  post(body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  call(method: string, params: unknown, id?: unknown): Promise<JsonRpcResponse>;
}

export const token = "a-test-token-of-thirty-two-letters";

/** Which callers the zone accepts; everyone by default. */
export interface ZoneCredentials {
  tokens?: string[];
  authenticator?: Authenticator;
}

const testLimits: ExecutionDeps["limits"] = {
  maxBytes: 10_000,
  maxDepth: 64,
  maxRunning: 10,
  syncWindowMs: 500,
  maxWaitMs: 1_000,
  taskDeadlineMs: 5_000,
};

const loggerTo = (log: TestZone["log"]) =>
  createLogger({
    zone: "execution",
    level: "debug",
    events: executionEvents,
    destination: { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  });

/** Options of a test zone. */
export interface ZoneOptions extends Partial<ExecutionDeps["limits"]>, ZoneCredentials {
  profile?: HostProfile;
  card?: NonNullable<ExecutionDeps["card"]>;
  tracer?: Tracer;
  /** Agents that change while the zone runs. */
  registered?: readonly RegisteredAgents[];
  usageOf?: ExecutionDeps["usageOf"];
  /** URL of a database that other zones may share; its own, in memory, when absent. */
  database?: string;
  /** How long finished tasks are kept, milliseconds. */
  retentionMs?: number;
  /** Creates the worker for the lives of input requests, where steps of workflow runs ask, too. */
  workOnInputs?: (requests: InputRequests) => Pick<JobWorker, "start" | "stop">;
}

/** Starts the whole execution zone with test agents on a free loopback port. Ends with the test. */
export async function startZone(
  agents: readonly Agent[],
  {
    tokens,
    authenticator,
    profile = hostProfiles.plain,
    card,
    tracer,
    registered,
    usageOf,
    database: databaseUrl,
    retentionMs = 86_400_000,
    workOnInputs,
    ...limits
  }: ZoneOptions = {},
): Promise<TestZone> {
  const log: Record<string, unknown>[] = [];
  const { store, jobs, database } = await openTaskStore({ url: databaseUrl, retentionMs });
  const telemetry = { logger: loggerTo(log), metrics: createMetrics() };
  const emit = createZoneEmit(telemetry);
  const inputs = await openInputs({ database, jobs, retentionMs, emit });
  const app = createExecutionApp({
    agents: { all: agents, default: agents[0]?.name ?? "", registered },
    store,
    jobs,
    inputs,
    authenticator: authenticator ?? (tokens ? createBearerAuth(tokens, "verification") : createOpenAuth()),
    grantFiles: noFiles,
    usageOf,
    profile,
    card,
    now: () => new Date(),
    ...telemetry,
    emit,
    health: createHealth(),
    tracer,
    limits: { ...testLimits, ...limits },
  });
  const lives = workOnInputs?.(inputs.requests) ?? jobs.workOn(createInputKind(inputs));
  app.start();
  lives.start();
  const server = createHttpServer(app.listener, { onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await Promise.all([app.stop(0), lives.stop(0)]);
    await close(server, { deadlineMs: 100 });
    await database.close();
  });

  const post = postTo(url + profile.rpcPath, tokens?.[0]);
  return {
    url,
    app,
    inputs,
    log,
    post,
    call: callOver(post),
  };
}

/** Creates an agent from a function. */
export const agentThat = (run: Agent["run"], name = "test-agent"): Agent => ({
  name,
  description: "",
  skills: [],
  run,
});

export const echo: Agent = agentThat(async ({ text }) => ({ response_text: text }), "echo");

/** Works until it is stopped. */
export const stuck: Agent = agentThat(
  (_input, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
  "stuck",
);

export const task = (members: Record<string, unknown> = {}): Record<string, unknown> => ({
  channel: "C1",
  text: "hello",
  bot_token: "handle",
  ...members,
});

const callOver =
  (post: TestZone["post"]): TestZone["call"] =>
  async (method, params, id = randomUUID()) => {
    const response = await post(JSON.stringify({ jsonrpc: "2.0", method, params, id }));
    return (await response.json()) as JsonRpcResponse;
  };

const postTo =
  (url: string, bearer: string | undefined): TestZone["post"] =>
  (body, headers = {}) =>
    fetch(url, {
      method: "POST",
      body: typeof body === "string" ? body : Buffer.from(body),
      headers: {
        "content-type": "application/json",
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
    });
