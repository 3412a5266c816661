import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent, JsonRpcResponse } from "@crosszone/contracts";
import {
  close,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  listen,
  vaultOf,
  watchCertificates,
} from "@crosszone/service-kit";
import { startTracing } from "@crosszone/service-kit/tracing";
import { executionEvents } from "@crosszone/telemetry";
import type { LogLine } from "@crosszone/testkit/process";
import { tunedConstants } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import type { Agent } from "../agents/agent.ts";
import { createBearerAuth, createOpenAuth } from "../doors/auth/authenticator.ts";
import { hostProfiles } from "../doors/host-profile.ts";
import { noFiles } from "../doors/http-files.ts";
import type { ApprovalFor } from "../people/approvals.ts";
import { measureCommits, measureRunning } from "../store/open-execution-database.ts";
import { openTaskStore } from "../tasks/store/task-store.ts";
import { loadExecutionConfig } from "../zone/config/config.ts";
import { openAsk } from "../zone/open-asking.ts";
import { openRoles } from "../zone/open-roles.ts";
import { createZoneEmit } from "../zone/open-store.ts";
import { connectModel, createZonePrompts, openZoneAgents } from "../zone/open-zone-agents.ts";
import { createExecutionApp, type ExecutionDeps } from "../zone/open-zone.ts";

export const token = "a-test-token-of-thirty-two-letters";

/** Options of a test zone: limits, some dependencies, and what follows. */
export interface ZoneOptions
  extends
    Partial<ExecutionDeps["limits"]>,
    Partial<Pick<ExecutionDeps, "authenticator" | "card" | "profile" | "tracer">> {
  /** Variables, for example of a model, of tracing or of registered agents. */
  readonly env?: Readonly<Record<string, string>>;
  /** The tokens of callers; without one, everyone is accepted. */
  readonly tokens?: readonly string[];
  /** URL of a database that other zones may share; its own, in memory, when absent. */
  readonly database?: string;
  /** How long finished tasks are kept, milliseconds. */
  readonly retentionMs?: number;
  /** Agents that change while the zone runs, besides those of the registry. */
  readonly registered?: readonly RegisteredAgents[];
  /** The policy by which the assistant asks people; that of the section approvals of EXECUTION_FILE when absent. */
  readonly approvalFor?: ApprovalFor;
  /** Replaces dependencies. */
  readonly override?: (deps: ExecutionDeps) => Partial<ExecutionDeps>;
  /** Receives the lines of the log. */
  readonly log?: LogLine[];
  readonly port?: number;
}

const testLimits: ExecutionDeps["limits"] = {
  maxBytes: 10_000,
  maxDepth: 64,
  maxRunning: 10,
  syncWindowMs: 30_000,
  maxWaitMs: 30_000,
  taskDeadlineMs: 120_000,
  mostAttempts: 2,
  requestsPerMinute: 0,
  requestBurst: 1,
};

export type TestZone = Awaited<ReturnType<typeof startZone>>;

/** Starts the whole execution zone on a free loopback port, with these agents, or else those of its variables. Ends with the test. */
export async function startZone(agents?: readonly Agent[], options?: ZoneOptions) {
  const zone = await openTestZone(agents, options);
  onTestFinished(zone.stop);
  return zone;
}

/** Opens what a process shares, and its roles, before they start. Ends with `end`. */
async function openParts(
  { env = {}, database: url, retentionMs, log = [] }: ZoneOptions,
  level: "debug" | "info" = "debug",
) {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-execution-"));
  const config = { ...loadExecutionConfig({ DATA_DIR: folder, ...env }).values, ...tunedConstants(env) };
  const build = { zone: "execution", version: "0.0.0" };
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) };
  const logger = createLogger({ zone: build.zone, level, events: executionEvents, destination });
  const tracing = await startTracing({ ...build, config, logger });
  const [metrics, health, agentNames] = [createMetrics(build), createHealth(), new Set<string>()];
  const emit = createZoneEmit({ logger, metrics }, agentNames);
  const opened = await openTaskStore({ url, retentionMs, emit, onCommit: measureCommits(metrics.registry) });
  const { jobs, database } = opened;
  measureRunning(metrics.registry, jobs);
  watchCertificates({ TLS_CERT_FILE: config.TLS_CERT_FILE }, { registry: metrics.registry, emit });
  const observed = { metrics, health, emit, agentNames };
  const roles = await openRoles({ config, environment: env, database, jobs, vault: vaultOf(config), ...observed });
  const end = async (): Promise<void> => {
    await roles.close();
    await tracing.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...opened, config, log, tracer: tracing.tracer, metrics, health, emit, roles, end };
}

/** Opens the roles of a process without HTTP, before `start`, on a database that other processes may use too. Ends with the test. */
export async function openWithoutHttp(database: string, env: Readonly<Record<string, string>>) {
  const { roles, log, metrics, end } = await openParts({ database, env }, "info");
  onTestFinished(async () => {
    await roles.stop(1_000);
    await end();
  });
  /** `shown`: resolves with the text of `/metrics`. */
  return { ...roles, log, shown: async () => (await metrics.render()).body };
}

/** Does what `startZone` does, until `stop`. */
export async function openTestZone(agents?: readonly Agent[], options: ZoneOptions = {}) {
  const { env: _env, database: _url, retentionMs: _ms, log: _log, ...own } = options;
  const { tokens, approvalFor, override, port = 0, authenticator, card, registered: others = [], ...more } = own;
  const { profile = hostProfiles.plain, tracer: given, ...limits } = more;
  const parts = await openParts(options);
  const { config, log, metrics, health, emit, store, jobs, database, roles } = parts;
  const tracer = given ?? parts.tracer;
  const { inputs, asking } = roles;
  const registered = [...roles.registered, ...others];
  const model = await connectModel(config);
  const asked = { approvalFor: approvalFor ?? inputs.approvalFor };
  const ownAgents = () => openZoneAgents({ config, tracer, emit, model, ...roles, registered, ...asked });
  const deps: ExecutionDeps = {
    ...roles,
    agents: agents ? { all: agents, default: agents[0]?.name ?? "", registered } : await ownAgents(),
    store,
    jobs,
    prompts: createZonePrompts({ ...roles, config, tracer, emit, model, vault: vaultOf(config) }),
    authenticator: authenticator ?? (tokens ? createBearerAuth([...tokens], "verification") : createOpenAuth()),
    card,
    profile,
    grantFiles: noFiles,
    now: () => new Date(),
    emit,
    metrics,
    tracer,
    health,
    limits: { ...testLimits, ...limits },
  };
  const changed = { ...deps, ...override?.(deps) };
  const app = createExecutionApp(changed);
  await roles.start();
  app.start();
  const server = createHttpServer(app.listener, { onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port });

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await Promise.all([app.stop(0), roles.stop(0)]);
    await close(server, { deadlineMs: 500 });
    await parts.end();
  }
  const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url + (changed.profile ?? profile).rpcPath, {
      method: "POST",
      body: typeof body === "string" ? body : Buffer.from(body),
      headers: {
        "content-type": "application/json",
        ...(tokens?.[0] && { authorization: `Bearer ${tokens[0]}` }),
        ...headers,
      },
    });
  return {
    url,
    app,
    inputs,
    database,
    metrics,
    roles,
    agents: deps.agents,
    /** The surface for programs; undefined without ASK_PORT. */
    programs:
      asking && openAsk(config, asking, { ask: app.ask, health, emit, version: "0.0.0", hooks: roles.hooks.route }),
    /** The log, one parsed line each. */
    log,
    post,
    call: async (method: string, params: unknown, id: unknown = randomUUID()): Promise<JsonRpcResponse> =>
      (await (await post(JSON.stringify({ jsonrpc: "2.0", method, params, id }))).json()) as JsonRpcResponse,
    /** Returns the events of the audit log, oldest first. */
    acts: async (): Promise<AuditEvent[]> => {
      const rows = await database.db.selectFrom("audit_event").select("event").orderBy("id").execute();
      return rows.map(({ event }) => JSON.parse(event) as AuditEvent);
    },
    stop: () => (stopped ??= stop()),
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
