import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { type ApiPart, ApiProblem, type ApiTokens, checkSwitchedOn, createAdminApi } from "@crosszone/admin-api";
import { createReadActivity, createReadAgentCalls, createRegistryRoutes } from "@crosszone/agent-bridge";
import { authorAct, createRecordRefusal, openZoneAudit, type RecordAct, type ZoneAudit } from "@crosszone/audit";
import { createAuditRoutes } from "@crosszone/audit/api";
import { openZoneSettings } from "@crosszone/ops/settings";
import { createDeadLetterPurge, createDeadLetterStore } from "@crosszone/kafka-gateway";
import type { NewSchedule } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { createWorkflowRoutes, type Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { noAssistantSettings } from "../agents/assistant/assistant-settings.ts";
import { createSqlMcpPins, createSqlThreadSummaries } from "../agents/assistant/assistant-store.ts";
import { createWorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import { createBulkRoutes } from "../doors/api/bulk-routes.ts";
import { createInputRoutes } from "../doors/api/input-routes.ts";
import { createMcpApi } from "../doors/api/mcp-routes.ts";
import { createScheduleRoutes } from "../doors/api/fire-routes.ts";
import { createTaskRoutes, createUsageRoutes } from "../doors/api/task-routes.ts";
import { createTokenRoutes } from "../doors/api/token-routes.ts";
import type { BulkActions } from "../people/bulk-actions.ts";
import type { PageAccess } from "../doors/create-http-app.ts";
import { createSignInRoutes } from "../doors/sign-in/sign-in-routes.ts";
import { authorChanger, ScheduleRefusal } from "../fires/changer.ts";
import { Schedules } from "../fires/schedule-store.ts";
import type { InputRequests } from "../people/input-requests.ts";
import { createCheckToken, createTokenStore, type TokenStore } from "../people/token-store.ts";
import { TokenUses } from "../people/token-uses.ts";
import { mayUse } from "../tasks/ask/asker.ts";
import { createMessageStore, type MessageStore } from "../tasks/store/message-store.ts";
import { createSqlTaskReader } from "../tasks/store/task-reader.ts";
import { createSqlUsageReader, createUsageOf, type UsageReader } from "../usage/sql-usage-reader.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";
import { hasModel } from "./config/config.ts";
import { checkOnFirstUse, openAgentRegistry, type OpenAgents } from "./open-agents.ts";
import { openAsking, openHooks } from "./open-callers.ts";
import { openBulkActions } from "./open-bulk-actions.ts";
import { type OpenCalls, openCalls } from "./open-calls.ts";
import { openGateway } from "./open-gateway.ts";
import { openInputs, workOnInputs } from "./open-inputs.ts";
import { openMcp } from "./open-mcp.ts";
import { openSignIn } from "./open-sign-in.ts";
import { executionSections, type ExecutionSettings, usedSections, withoutEffect } from "./config/sections.ts";
import type { RoleParts } from "./open-store.ts";

/** Opens the zone's API: agents, MCP servers, tasks, input requests, usage, workflows, runs and API tokens. */
function openAdminApi(
  { config, database, vault, health, emit }: RoleParts,
  shown: {
    readonly agents: OpenAgents;
    readonly calls: OpenCalls;
    readonly usage: UsageReader;
    readonly mcpServers: ApiPart;
    readonly inputs: InputRequests;
    readonly messages: MessageStore;
    readonly tokens: ApiTokens & { readonly stored: TokenStore };
    readonly audit: ZoneAudit;
    readonly uses: TokenUses;
    readonly bulk: BulkActions;
    readonly schedules: Schedules;
    readonly hooks: { readonly api: ApiPart; readonly makesEvent: (name: string) => boolean };
  },
): RequestHandler {
  const { agents, calls, usage, mcpServers, inputs, messages, tokens, audit, uses, bulk, schedules, hooks } = shown;
  const { counts, workflows } = calls;
  const { store, registry, client, adapters, checks } = agents;
  const agentRoutes = createRegistryRoutes({
    store,
    registry,
    client,
    adapters,
    checks,
    readActivity: createReadActivity(database, counts, calls.circuits),
    counts,
    checkConformance: checkOnFirstUse,
    agentsFile: config.EXECUTION_FILE?.join(" or "),
    onChanged: ({ actor: by, correlationId, name, agent }) => {
      if (agent !== undefined) void agents.readCards([agent]);
      const change = agent === undefined ? { deleted: true } : { revision: agent.revision, enabled: agent.enabled };
      emit("agent_changed", { agent_name: name, by, correlation_id: correlationId, ...change });
    },
  });
  const parts = [
    agentRoutes,
    mcpServers,
    createTaskRoutes({
      tasks: createSqlTaskReader(database, vault),
      readCalls: createReadAgentCalls(database),
      readRun: workflows.states,
      readSteps: workflows.attemptStates,
      messages,
      usage,
      inputs,
    }),
    createInputRoutes(inputs, audit.receiptOf),
    createAuditRoutes(audit.read, messages.names.idsOf),
    createUsageRoutes(usage, () => new Date()),
    createWorkflowRoutes({
      workflows,
      waits: (runIds) => inputs.waitsOf(runIds),
      maxWatchers: config.MAX_RUN_WATCHERS,
    }),
    createTokenRoutes(tokens.stored, uses, emit),
    createScheduleRoutes(schedules),
    hooks.api,
    createBulkRoutes(bulk, () => createDeadLetterStore(database).list(mostLetters)),
  ];
  const recordRefusal = createRecordRefusal(audit.record);
  return createAdminApi({
    parts: parts.map(messages.names.named),
    mayUse: ({ actor }, kind, name) =>
      mayUse(calls.stored.askers(), actor, { kind, name, isClosed: kind === "events" && hooks.makesEvent(name) }),
    onRead: (exchange, read) => audit.record(authorAct(exchange, read)),
    ...tokens,
    stopping: health.stopping,
    onRefused: async (refusal) => {
      const { kind, method, cause, act } = refusal;
      // The name of a person is in the audit log alone.
      const { name: _, ...from } = act.from;
      const fields = { kind, method, by: act.actor, scope: act.scope, correlation_id: act.correlationId, ...from };
      if (cause !== undefined) return emit("api_failed", { ...fields, cause });
      emit("api_refused", fields);
      await recordRefusal(refusal).catch((failure: unknown) => emit("api_failed", { ...fields, cause: failure }));
    },
  });
}

/** How long ended messages are kept at least, milliseconds: as long as in verification. */
const messagesMs = 30 * 86_400_000;

/** The most dead letters in a list. */
const mostLetters = 1_000;

/**
 * A run counts as overdue after this delay, milliseconds. Processes with the role `workflow` handle due runs within a
 * second.
 */
const lateMs = 30_000;

/** How often the warning is repeated while the problem lasts, milliseconds. */
const againMs = 600_000;

/** How often overdue runs are checked, milliseconds. */
const everyMs = 30_000;

/** Warns of overdue runs, at most once per interval. */
export class OverdueRuns {
  readonly #readings: Workflows["readings"];
  readonly #emit: Emit<ExecutionEvent>;
  readonly #now: () => number;
  #saidAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: monotonic milliseconds. */
  constructor(readings: Workflows["readings"], emit: Emit<ExecutionEvent>, now = () => performance.now()) {
    this.#readings = readings;
    this.#emit = emit;
    this.#now = now;
  }

  /** Checks once. Never rejects. */
  async check(): Promise<void> {
    // An unreachable database logs its own errors.
    const read = await this.#readings().catch(() => undefined);
    if (read === undefined) return;
    if (read.oldestDueMs < lateMs) this.#saidAt = -Infinity;
    else if (this.#now() - this.#saidAt >= againMs) {
      this.#saidAt = this.#now();
      this.#emit("runs_overdue", { oldest_due_ms: Math.round(read.oldestDueMs), open: read.open });
    }
  }

  /** Checks now, and again and again until the stop. */
  start(): void {
    void this.check();
    this.#timer = setInterval(() => void this.check(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Opens API tokens, sign-in, and the count of uses of both. A host where every session is a separate machine has no sign-in. */
async function openCredentials(
  parts: RoleParts,
  { audit, isSession }: { readonly audit: ZoneAudit; readonly isSession: boolean },
) {
  const { config, database, emit } = parts;
  const signIn = isSession ? undefined : await openSignIn(parts, audit);
  const uses = new TokenUses(database, { append: audit.append, emit, retentionMs: config.AUDIT_RETENTION_MS });
  const stored = createTokenStore(database, audit.append);
  const sessions = signIn?.sessions;
  const tokens = { tokens: () => config.ADMIN_TOKENS ?? [], stored, sessions, onUse: uses.count };
  const whenOn: RequestHandler = async (_request, _response, next) => {
    // While the database is down, a page can say so.
    const off = await checkSwitchedOn(tokens).catch((error: unknown) => error);
    next(off instanceof ApiProblem ? "router" : undefined);
  };
  const pages: PageAccess | undefined = isSession
    ? undefined
    : { whenOn, signIn: signIn && createSignInRoutes(signIn) };
  return {
    uses,
    tokens,
    signIn,
    pages,
    close: uses.close.bind(uses),
  };
}

/**
 * Makes the schedules of the settings those that they list; those of an absent section stay. Rejects when the API or Slack has a schedule of the same
 * name; the others are applied.
 */
async function applySchedules(
  schedules: Schedules,
  listed: readonly NewSchedule[] | undefined,
  paths: readonly string[] = [],
) {
  if (listed === undefined) return undefined;
  const by = authorChanger(
    { actor: `file:${paths.map((path) => basename(path)).join(",")}`, correlationId: randomUUID() },
    "file",
  );
  const gone = new Set(await schedules.namesOf("file")).difference(new Set(listed.map(({ name }) => name)));
  for (const name of gone) await schedules.change(name, "remove", by);
  const taken: string[] = [];
  for (const { name, settings } of listed)
    await schedules.save({ name, settings, replaces: true }, by).catch((error: unknown) => {
      if (!(error instanceof ScheduleRefusal)) throw error;
      taken.push(`${name} ${error.message}`);
    });
  if (taken.length > 0) throw new Error(taken.join("; "));
  return { saved: listed.length, removed: gone.size };
}

/** Opens the sections that this process uses, and warns of those that have no effect. */
async function openOwnSettings(given: Omit<RoleParts, "settings">, record: RecordAct) {
  const { config, environment, emit } = given;
  const rows = usedSections(config, executionSections(config, environment));
  const opened = { ...given, paths: config.EXECUTION_FILE, rows, record };
  const settings = await openZoneSettings<ExecutionSettings>("execution", opened);
  for (const [name, why] of Object.entries(withoutEffect(config)))
    if (settings.names().includes(name))
      emit("config_warning", { warning: `The section ${name} has no effect: ${why}.` });
  return { settings, rows, close: settings.close };
}

/** Opens Kafka, the registry and the roles of EXECUTION_ROLES, in order. */
export async function openRoles(given: Omit<RoleParts, "settings">) {
  const { config, database, vault, emit } = given;
  const { EXECUTION_ROLES: roles, TASK_RETENTION: retentionMs } = config;
  // Where every session is a separate machine, a process of the other roles has the key of the audit log.
  const isSession = config.HOST_PROFILE === "agentcore";
  // Closes what is open when a later part can't be opened.
  await using opening = new AsyncDisposableStack();
  const closing = <Part extends { readonly close: () => Promise<void> }>(part: Part): Part =>
    opening.adopt(part, (opened) => opened.close());
  const audit = closing(await openZoneAudit({ ...given, zone: "execution", onlyAppends: isSession }));
  const { settings, rows } = closing(await openOwnSettings(given, audit.record));
  const parts: RoleParts = { ...given, settings };
  const inputs = openInputs({ ...parts, ...audit, approvals: await settings.follow("approvals"), retentionMs });
  const pins = createSqlMcpPins(database);
  const { mcp, declared } = closing(await openMcp(parts, pins));
  const assistantSettings = "assistant" in rows ? await settings.follow("assistant") : () => noAssistantSettings;
  const agents = closing(await openAgentRegistry(parts));
  const gateway = await openGateway(parts);
  opening.defer(() => gateway?.close());
  const calls = await openCalls(parts, agents, { gateway, whyNobody: inputs.whyNobody });
  const { tasks, bridge, workflows, runner } = calls;
  opening.defer(calls.close);
  const asAgents = { emit, findAgent: agents.registry.find, isClosed: inputs.requests.isClosed };
  const workflowAgents = roles.includes("rpc") ? createWorkflowAgents(workflows, asAgents) : undefined;
  opening.defer(() => workflowAgents?.stop());
  const keptMs = Math.max(retentionMs, messagesMs);
  const schedules = new Schedules(database, { ...parts, ...audit, retentionMs: keptMs, hasModel: hasModel(config) });
  await settings.follow("schedules", (listed) => applySchedules(schedules, listed, config.EXECUTION_FILE));
  const budgets = { budgets: config.BUDGETS, now: () => new Date() };
  const usage = createSqlUsage(database, { ...budgets, capOf: (fireId) => schedules.fires.capOf(fireId), emit });
  const usageReader = createSqlUsageReader(database, budgets);
  const summaries = createSqlThreadSummaries(database, assistantName, { vault, retentionMs: config.THREAD_RETENTION });
  const { uses, tokens, signIn, pages } = closing(await openCredentials(parts, { audit, isSession }));
  const mcpServers = createMcpApi(pins, declared, emit);
  const messages = createMessageStore(database, { retentionMs: keptMs, vault });
  const hooks = await openHooks(parts, { ...audit, schedules, workflows });
  const bulk = openBulkActions(parts, { workflows, inputs: inputs.requests, gateway, messages, tokens, audit });
  const onInputs = workOnInputs(parts, { ...inputs, consents: schedules.consents }, workflows);
  // A process without sign-in can't say who may still act.
  const workers = isSession ? [onInputs] : [onInputs, bulk.worker];
  const shown = { mcpServers, agents, calls, audit, messages, usage: usageReader, tokens, uses, bulk, schedules };
  const api = isSession ? undefined : openAdminApi(parts, { ...shown, inputs: inputs.requests, hooks });
  const overdue = new OverdueRuns(workflows.readings, emit);
  const asking = await openAsking({ ...parts, stored: calls.stored }, tokens, audit.record);
  const purges = [...calls.purges, ...(runner?.purges ?? []), createDeadLetterPurge(database), uses.purge];
  purges.push(...(signIn?.store.purges ?? []), ...messages.purges, ...audit.purges, schedules.fires.purge, bulk.purge);
  if (tasks) purges.unshift(...tasks.purges, ...usage.purges, summaries.purge);
  const open = opening.move();
  return {
    /** The registry's agents, then the workflows, for processes that run tasks. */
    registered: [tasks?.registered, workflowAgents].filter((source) => source !== undefined),
    /** The links that agents use to download files. Undefined without EXECUTION_PUBLIC_URL. */
    fileLinks: tasks?.fileLinks,
    /** Undefined on a host where every session is a separate machine. Its type is written out, because Express's own can't be inferred. */
    get api(): RequestHandler | undefined {
      return api;
    },
    /** Undefined where `api` is. */
    pages,
    /** Undefined without the section `console`. */
    signIn,
    checkToken: createCheckToken(tokens),
    onUse: uses.count,
    /** Which programs can ask. Undefined without ASK_PORT. */
    asking,
    hooks,
    inputs,
    messages,
    schedules,
    /** Returns what the section `assistant` says now. */
    assistantSettings,
    workflows,
    usage,
    usageOf: createUsageOf(usageReader, assistantName),
    summaries,
    mcp,
    purges: purges.filter((purge) => purge !== undefined),
    start: async () => {
      await calls.start();
      workers.forEach((worker) => worker.start());
      // Pins their tools, or logs failures, before the first question.
      void mcp?.openTurn(new AbortController().signal).then(({ close }) => close());
      // Where every session is a separate machine, each would log the same line.
      if (!isSession) overdue.start();
    },
    /** Takes no more calls and results, lets running work end within `graceMs` milliseconds, and releases the rest. */
    stop: async (graceMs: number) => {
      overdue.stop();
      await Promise.all([bridge, runner, gateway, ...workers].map(async (one) => one?.stop(graceMs)));
    },
    /** Call after the tasks have ended and after `stop`: leaves Kafka and closes connections to agents. */
    close: () => open.disposeAsync(),
  };
}
