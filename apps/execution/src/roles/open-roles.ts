import type { AgentClient } from "@crosszone/agent-bridge";
import { openZoneAudit, type ZoneAudit } from "@crosszone/audit";
import type { McpServers } from "@crosszone/assistant/mcp";
import { createDeadLetterPurge } from "@crosszone/kafka-gateway";
import type { Purge } from "@crosszone/service-kit";
import type { Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import type { AssistantFile } from "../agents/assistant/settings/assistant-file.ts";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { createSqlMcpPins } from "../agents/assistant/sql-mcp-pins.ts";
import { createSqlThreadSummaries, type ThreadSummaries } from "../agents/assistant/sql-thread-summaries.ts";
import { createWorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import type { FileLinks } from "../files/file-links.ts";
import { type CheckToken, createCheckToken } from "../tokens/check-token.ts";
import { TokenUses } from "../tokens/token-uses.ts";
import { createTokenStore } from "../tokens/token-store.ts";
import { createSqlUsageReader, createUsageOf } from "../usage/sql-usage-reader.ts";
import { createSqlUsage, type Usage } from "../usage/sql-usage.ts";
import { type Asking, openAsking } from "./open-ask.ts";
import { openAdminApi } from "./open-admin-api.ts";
import { openAgentAccess, openAgentRegistry } from "./open-agent-registry.ts";
import { openCalls } from "./open-calls.ts";
import { createFileLoaded } from "./file-loaded.ts";
import { openGateway } from "./open-gateway.ts";
import { type Inputs, openInputs, workOnInputs } from "./open-inputs.ts";
import { openAssistantFile } from "./open-zone-agents.ts";
import { openMcp } from "./open-mcp.ts";
import { watchOverdueRuns } from "./overdue-runs.ts";
import type { RoleParts } from "./role-parts.ts";

interface RolesOptions extends RoleParts {
  /** Receives the names of the agents that are found: only they are labels of metrics. */
  readonly agentNames?: Set<string>;
  /** Calls registered agents; over HTTP when absent. */
  readonly agentClient?: AgentClient;
}

/** What this process does, by its roles. */
export interface OpenRoles {
  /** The registry's agents, then the workflows, for processes that run tasks. */
  readonly registered: readonly RegisteredAgents[];
  readonly inputs: Inputs;
  /** Returns what ASSISTANT_FILE says now. */
  readonly assistantFile: () => AssistantFile;
  /** Calls of language models, and the budgets that pay for them. */
  readonly usage: Usage;
  /** Returns a person's use of language models. */
  readonly usageOf: ReturnType<typeof createUsageOf>;
  /** The assistant's summaries of long threads. */
  readonly summaries: ThreadSummaries;
  /** The assistant's MCP servers. */
  readonly mcp: McpServers | undefined;
  /** The links that agents use to download files. Undefined without EXECUTION_PUBLIC_URL. */
  readonly fileLinks: FileLinks | undefined;
  /** The API of agents, workflows and runs. Undefined on a host where every session is a separate machine. */
  readonly api: RequestHandler | undefined;
  readonly checkToken: CheckToken;
  /** Counts a use of credentials. */
  readonly onUse: TokenUses["count"];
  /** Which programs can ask. Undefined without ASK_PORT. */
  readonly asking: Asking | undefined;
  /** Every process can start, show and stop runs, whatever its roles. */
  readonly workflows: Workflows;
  readonly purges: readonly Purge[];
  readonly start: () => Promise<void>;
  /** Takes no more calls and results, lets running work end within `graceMs` milliseconds, and releases the rest. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Call after the tasks have ended and after `stop`: leaves Kafka and closes connections to agents. */
  readonly close: () => Promise<void>;
}

/** Opens Kafka, the registry and the roles of EXECUTION_ROLES. */
export async function openRoles(options: RolesOptions): Promise<OpenRoles> {
  const closing = new AsyncDisposableStack();
  try {
    return await open(options, closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** Opens the parts in order. What must be closed goes into `closing`. */
async function open(options: RolesOptions, closing: AsyncDisposableStack): Promise<OpenRoles> {
  const { config, environment, database, jobs, vault, metrics, health, emit, agentNames, agentClient } = options;
  const { EXECUTION_ROLES: roles, THREAD_RETENTION: retentionMs, APPROVALS_FILE: policyFile } = config;
  const audit = closing.adopt(await openAudit(options), ({ close }) => close());
  const storage = { database, jobs, vault, append: audit.append, retentionMs: config.TASK_RETENTION };
  const inputs = closing.adopt(await openInputs({ policyFile, ...storage, emit }), ({ close }) => close());
  const [isSession, pins] = [config.HOST_PROFILE === "agentcore", createSqlMcpPins(database)];
  const loaded = createFileLoaded(audit.record);
  const opened = await openMcp({ config, environment, pins, emit, loaded });
  const { mcp, shownServers } = closing.adopt(opened, ({ close }) => close());
  const assistantFile = closing.adopt(await openAssistantFile(options, loaded), ({ close }) => close());
  const own = openAgentAccess(config, environment);
  const access = agentClient === undefined ? own : { ...own, client: agentClient };
  const agents = await openAgentRegistry({ config, database, vault, emit, access, loaded, names: agentNames });
  closing.defer(agents.close);
  const gateway = await openGateway({ config, database, jobs, vault, metrics, health, emit });
  closing.defer(async () => gateway?.close());
  const calls = await openCalls({ ...options, agents, gateway, whyNobody: inputs.whyNobody });
  const { tasks, bridge, workflows } = calls;
  closing.defer(async () => tasks?.calls.stop());
  const workflowAgents = roles.includes("rpc")
    ? createWorkflowAgents(workflows, { emit, findAgent: agents.registry.find, isClosed: inputs.requests.isClosed })
    : undefined;
  closing.defer(async () => workflowAgents?.stop());
  const lives = workOnInputs({ ...options, inputs, workflows });
  const runner = roles.includes("workflow") ? workflows : undefined;
  const { usage, usageReader } = openUsage(options);
  const summaries = createSqlThreadSummaries(database, assistantName, { vault, retentionMs });
  const keep = { append: audit.append, emit, retentionMs: config.AUDIT_RETENTION_MS };
  const uses = closing.adopt(new TokenUses(database, keep), ({ close }) => close());
  const stored = createTokenStore(database, audit.append);
  const tokens = { tokens: () => config.ADMIN_TOKENS ?? [], stored, onUse: uses.count };
  const shown = { shownServers, agents, workflows, tokens, uses, audit, inputs: inputs.requests, usage: usageReader };
  const overdue = watchOverdueRuns({ readings: workflows.readings, emit });
  return {
    registered: [tasks?.registered, workflowAgents].filter((source) => source !== undefined),
    fileLinks: tasks?.fileLinks,
    api: isSession ? undefined : openAdminApi({ ...options, ...shown }),
    checkToken: createCheckToken(tokens),
    onUse: uses.count,
    asking: closing.adopt(await openAsking(options, tokens, audit.record), async (programs) => programs?.file.close()),
    inputs,
    assistantFile: assistantFile.current,
    workflows,
    usage,
    usageOf: createUsageOf(usageReader, assistantName),
    summaries,
    mcp,
    purges: ofRoles([
      ...(tasks ? [...tasks.purges, ...usage.purges, summaries.purge] : []),
      bridge?.purge,
      runner?.purge,
      createDeadLetterPurge(database),
      uses.purge,
      ...audit.purges,
    ]),
    start: async () => {
      await calls.start();
      lives.start();
      // Pins their tools, or logs failures, before the first question.
      void mcp?.openTurn(new AbortController().signal).then(({ close }) => close());
      // Where every session is a separate machine, each would log the same line.
      if (!isSession) overdue.start();
    },
    stop: async (graceMs) => {
      overdue.stop();
      await Promise.all([bridge?.stop(graceMs), runner?.stop(graceMs), gateway?.stop(graceMs), lives.stop(graceMs)]);
    },
    close: () => closing.disposeAsync(),
  };
}

/** Opens the use of language models: its writer, which enforces the budgets, and its reader. */
function openUsage({ config, database, emit }: RolesOptions) {
  const deps = { budgets: config.BUDGETS, now: () => new Date() };
  return { usage: createSqlUsage(database, { ...deps, emit }), usageReader: createSqlUsageReader(database, deps) };
}
/** Returns the purges of the roles that this process has. */
const ofRoles = (purges: readonly (Purge | undefined)[]): readonly Purge[] =>
  purges.filter((purge) => purge !== undefined);

/** Where every session is a separate machine, a process of the other roles has the key. */
function openAudit({ config, database, vault, emit }: RolesOptions): Promise<ZoneAudit> {
  const onlyAppends = config.HOST_PROFILE === "agentcore";
  return openZoneAudit({ zone: "execution", config, database, vault, emit, onlyAppends });
}
