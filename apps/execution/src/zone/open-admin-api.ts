import { type ApiPart, type ApiTokens, createAdminApi, whyEnded } from "@crosszone/admin-api";
import { createReadActivity, createReadAgentCalls, createRegistryRoutes } from "@crosszone/agent-bridge";
import { type Author, authorAct, createRecordRefusal, type ZoneAudit } from "@crosszone/audit";
import { createAuditRoutes } from "@crosszone/audit/api";
import type { BulkActionKind, MessageAct } from "@crosszone/contracts";
import { createDeadLetterStore, type KafkaGateway } from "@crosszone/kafka-gateway";
import { createWorkflowRoutes, type RunChangeResult, type Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import { createBulkRoutes } from "../doors/api/bulk-routes.ts";
import { createInputRoutes } from "../doors/api/input-routes.ts";
import { createScheduleRoutes } from "../doors/api/schedule-routes.ts";
import { createTaskRoutes, createUsageRoutes } from "../doors/api/task-routes.ts";
import { createTokenRoutes } from "../doors/api/token-routes.ts";
import type { Schedules } from "../fires/schedule-store.ts";
import { BulkActions } from "../people/bulk-actions.ts";
import { isLive } from "../people/input-record.ts";
import type { InputRequests } from "../people/input-requests.ts";
import type { TokenStore } from "../people/token-store.ts";
import type { TokenUses } from "../people/token-uses.ts";
import { mayUse } from "../tasks/ask/asker.ts";
import type { MessageStore } from "../tasks/store/message-store.ts";
import { createSqlTaskReader } from "../tasks/store/task-reader.ts";
import type { UsageReader } from "../usage/sql-usage-reader.ts";
import { checkOnFirstUse, type OpenAgents } from "./open-agents.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { RoleParts } from "./open-store.ts";

/** Opens the zone's API: agents, MCP servers, tasks, input requests, usage, workflows, runs and API tokens; and the bulk actions that it starts. */
export function openAdminApi(
  parts: RoleParts,
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
    readonly schedules: Schedules;
    readonly gateway: KafkaGateway | undefined;
    readonly hooks: { readonly api: ApiPart; readonly makesEvent: (name: string) => boolean };
  },
): { readonly api: RequestHandler; readonly bulk: BulkActions } {
  const { config, database, vault, health, emit } = parts;
  const { agents, calls, usage, mcpServers, inputs, messages, tokens, audit, uses, schedules, gateway, hooks } = shown;
  const { counts, workflows } = calls;
  const { MAX_RUN_WATCHERS: maxWatchers } = config;
  const bulk = openBulkActions(parts, { workflows, inputs, gateway, messages, tokens, audit });
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
  const all = [
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
    createWorkflowRoutes({ workflows, waits: (runIds) => inputs.waitsOf(runIds), maxWatchers }),
    createTokenRoutes(tokens.stored, uses, emit),
    createScheduleRoutes(schedules),
    hooks.api,
    createBulkRoutes(bulk, () => createDeadLetterStore(database).list(mostLetters)),
  ];
  const recordRefusal = createRecordRefusal(audit.record);
  const api = createAdminApi({
    parts: all.map(messages.names.named),
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
  return { api, bulk };
}

/** The most dead letters in a list. */
const mostLetters = 1_000;

/** Opens what operators do with many items at once. Any process with the API works on it, whatever its roles. */
function openBulkActions(
  { config, database, jobs }: RoleParts,
  on: {
    readonly workflows: Workflows;
    readonly inputs: InputRequests;
    readonly gateway: KafkaGateway | undefined;
    readonly messages: MessageStore;
    readonly tokens: ApiTokens;
    readonly audit: Pick<ZoneAudit, "append" | "record">;
  },
): BulkActions {
  const { workflows, inputs, gateway, messages, tokens, audit } = on;
  const recorded = (by: Author, action: BulkActionKind, id: string) =>
    audit.record(authorAct(by, { action, target: { type: action.split(".", 1)[0] as string, id } }));
  async function onMessage(act: MessageAct, reference: string, by: Author): Promise<string | undefined> {
    const why = await messages.want(reference, act);
    if (why === undefined) await recorded(by, `message.${act}`, reference);
    return why;
  }
  const noLetter = "There is no such dead letter.";
  return new BulkActions({
    database,
    jobs,
    append: audit.append,
    retentionMs: config.TASK_RETENTION,
    whyEnded: (digest) => whyEnded(tokens, digest, "runs:act"),
    acts: {
      "run.cancel": async (id, by) => leftAlone(await workflows.cancel(id, by)),
      "run.retry": async (id, by) => leftAlone(await workflows.retry(id, by)),
      "input_request.withdraw": async (id, by) => {
        const before = await inputs.find(id);
        if (before === undefined) return "There is no such input request.";
        if (!isLive(before.request)) return `It is ${before.request.state}.`;
        await inputs.withdraw(id, `Withdrawn by ${by.actor}.`, by);
        return undefined;
      },
      "dead_letter.replay": async (id, by) => {
        if (gateway === undefined) throw new Error("KAFKA_BROKERS is not set.");
        if ((await gateway.replay(id)) === "unknown") return noLetter;
        await recorded(by, "dead_letter.replay", id);
        return undefined;
      },
      "dead_letter.discard": async (id, by) => {
        if (!(await createDeadLetterStore(database).discard(id))) return noLetter;
        await recorded(by, "dead_letter.discard", id);
        return undefined;
      },
      "message.replay": (id, by) => onMessage("replay", id, by),
      "message.discard": (id, by) => onMessage("discard", id, by),
    },
  });
}

function leftAlone(change: RunChangeResult): string | undefined {
  if (change.outcome === "unknown_run") return "There is no such run.";
  return change.outcome === "too_late" ? `The run is ${change.run.state}.` : undefined;
}
