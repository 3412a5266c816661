import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { ApiProblem, checkSwitchedOn } from "@crosszone/admin-api";
import { openZoneAudit, type RecordAct, type ZoneAudit } from "@crosszone/audit";
import type { NewSchedule } from "@crosszone/contracts";
import { createDeadLetterPurge } from "@crosszone/kafka-gateway";
import { openZoneSettings } from "@crosszone/ops/settings";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { noAssistantSettings } from "../agents/assistant/assistant-settings.ts";
import { createSqlMcpPins } from "../agents/assistant/mcp-pins.ts";
import { createSqlThreadSummaries } from "../agents/conversations.ts";
import { createWorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import { createMcpApi } from "../doors/api/mcp-routes.ts";
import type { PageAccess } from "../doors/create-http-app.ts";
import type { IdentityProvider } from "../doors/sign-in/identity-provider.ts";
import { createSessions } from "../doors/sign-in/sessions.ts";
import { createSignInRoutes } from "../doors/sign-in/sign-in-routes.ts";
import { authorChanger, ScheduleRefusal } from "../fires/changer.ts";
import { Schedules } from "../fires/schedule-store.ts";
import type { ConsoleSettings } from "../people/sign-in/console-settings.ts";
import { createSessionStore } from "../people/sign-in/session-store.ts";
import { createCheckToken, createTokenStore } from "../people/token-store.ts";
import { TokenUses } from "../people/token-uses.ts";
import { createMessageStore } from "../tasks/store/message-store.ts";
import { createSqlUsageReader, createUsageOf } from "../usage/sql-usage-reader.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";
import { hasModel } from "./config/config.ts";
import { executionSections, type ExecutionSettings, usedSections, withoutEffect } from "./config/sections.ts";
import { openAdminApi } from "./open-admin-api.ts";
import { openAgentRegistry } from "./open-agents.ts";
import { openAsking } from "./open-asking.ts";
import { openCalls } from "./open-calls.ts";
import { openGateway } from "./open-gateway.ts";
import { openHooks } from "./open-hooks.ts";
import { openInputs, workOnInputs } from "./open-inputs.ts";
import { openMcp } from "./open-mcp.ts";
import type { RoleParts } from "./open-store.ts";

/** How long ended messages are kept at least, milliseconds: as long as in verification. */
const messagesMs = 30 * 86_400_000;

/**
 * A run counts as overdue after this delay, milliseconds. Processes with the role `workflow` handle due runs within a
 * second.
 */
const lateMs = 30_000;

/** How often the warning is repeated while the problem lasts, milliseconds. */
const againMs = 600_000;

/** How often overdue runs are checked, milliseconds. */
const everyMs = 30_000;

/** Returns what warns of overdue runs, at most once per interval. `now`: monotonic milliseconds. */
export function watchOverdueRuns(
  readings: Workflows["readings"],
  emit: Emit<ExecutionEvent>,
  now = () => performance.now(),
) {
  let saidAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  /** Never rejects. */
  const check = async (): Promise<void> => {
    // An unreachable database logs its own errors.
    const read = await readings().catch(() => undefined);
    if (read === undefined) return;
    if (read.oldestDueMs < lateMs) saidAt = -Infinity;
    else if (now() - saidAt >= againMs) {
      saidAt = now();
      emit("runs_overdue", { oldest_due_ms: Math.round(read.oldestDueMs), open: read.open });
    }
  };
  const start = (): void => {
    void check();
    timer = setInterval(() => void check(), everyMs).unref();
  };
  return { check, start, stop: () => clearInterval(timer) };
}

/** Opens what signs people in to the console, by the section `console`; undefined without CONSOLE_URL, and when the section is absent at the start. */
async function openSignIn(
  { config, database, vault, emit, settings }: RoleParts,
  { append, record }: Pick<ZoneAudit, "append" | "record">,
) {
  const { CONSOLE_URL: url, CONSOLE_CLIENT_SECRET: clientSecret } = config;
  if (url === undefined) return undefined;
  // Loaded only when used: it is larger than the rest of authentication.
  const { createIdentityProvider } = await import("../doors/sign-in/identity-provider.ts");
  const provided = {
    url,
    clientSecret,
    clockSkewMs: config.EXECUTION_JWT_CLOCK_SKEW_MS,
    maxAgeMs: config.EXECUTION_JWT_JWKS_MAX_AGE_MS,
    cooldownMs: config.EXECUTION_JWT_JWKS_COOLDOWN_MS,
  };
  let current: { readonly settings: ConsoleSettings; readonly provider: IdentityProvider } | undefined;
  const apply = (next: ConsoleSettings | undefined): void => {
    // Without the section, no group has a role.
    if (next !== undefined) current = { settings: next, provider: createIdentityProvider(next, provided) };
    else if (current !== undefined) current = { ...current, settings: { ...current.settings, roles: nobody } };
  };
  await settings.follow("console", apply, () => current === undefined);
  const first = current;
  if (first === undefined) return undefined;
  const inForce = (): typeof first => current ?? first;
  const store = createSessionStore(database, append, vault);
  const sessions = createSessions(store, () => inForce().settings, url);
  return { url, current: inForce, store, sessions, record, emit };
}

const nobody: ConsoleSettings["roles"] = { viewer: [], operator: [], admin: [], auditor: [] };

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
  return { uses, tokens, signIn, pages, close: uses.close };
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
  const parts = { ...given, settings };
  const inputs = openInputs({ ...parts, ...audit, approvals: await settings.follow("approvals"), retentionMs });
  const pins = createSqlMcpPins(database);
  const { mcp, declared } = closing(await openMcp(parts, pins));
  const assistantSettings = "assistant" in rows ? await settings.follow("assistant") : () => noAssistantSettings;
  const agents = closing(await openAgentRegistry(parts));
  const gateway = await openGateway(parts);
  opening.defer(() => gateway?.close());
  const calls = closing(await openCalls(parts, agents, { gateway, whyNobody: inputs.whyNobody }));
  const { tasks, bridge, workflows, runner } = calls;
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
  const messages = createMessageStore(database, { retentionMs: keptMs, vault });
  const hooks = await openHooks(parts, { ...audit, schedules, workflows });
  const onInputs = workOnInputs(parts, { ...inputs, consents: schedules.consents }, workflows);
  const mcpServers = createMcpApi(pins, declared, emit);
  const shown = { mcpServers, agents, calls, audit, messages, usage: usageReader, tokens, uses, schedules, gateway };
  // A process without sign-in can't say who may still act.
  const admin = isSession ? undefined : openAdminApi(parts, { ...shown, inputs: inputs.requests, hooks });
  const workers = admin === undefined ? [onInputs] : [onInputs, admin.bulk.worker];
  const overdue = watchOverdueRuns(workflows.readings, emit);
  const asking = await openAsking(parts, { tokens, record: audit.record, stored: calls.stored });
  const purges = [...calls.purges, ...(runner?.purges ?? []), createDeadLetterPurge(database), uses.purge];
  purges.push(...(signIn?.store.purges ?? []), ...messages.purges, ...audit.purges, schedules.fires.purge);
  if (admin) purges.push(admin.bulk.purge);
  if (tasks) purges.unshift(...tasks.purges, ...usage.purges, summaries.purge);
  const open = opening.move();
  return {
    /** The registry's agents, then the workflows, for processes that run tasks. */
    registered: [tasks?.registered, workflowAgents].filter((source) => source !== undefined),
    /** The links that agents use to download files. Undefined without EXECUTION_PUBLIC_URL. */
    fileLinks: tasks?.fileLinks,
    /** Undefined on a host where every session is a separate machine. */
    get api(): RequestHandler | undefined {
      return admin?.api;
    },
    /** Undefined where `api` is. */
    pages,
    /** Undefined without the section `console`. */
    signIn,
    checkToken: createCheckToken(tokens),
    onUse: uses.count,
    /** Which programs can ask. Undefined without ASK_PORT. */
    asking,
    /** The room for what is stored for programs. */
    stored: calls.stored.room,
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
