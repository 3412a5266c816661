import type { McpServers } from "@crosszone/assistant/mcp";
import { createDeadLetterPurge } from "@crosszone/kafka-gateway";
import type { Purge } from "@crosszone/service-kit";
import type { Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { createSqlMcpPins } from "../agents/assistant/sql-mcp-pins.ts";
import { createSqlThreadSummaries, type ThreadSummaries } from "../agents/assistant/sql-thread-summaries.ts";
import type { FileLinks } from "../files/file-links.ts";
import { createSqlUsageReader, createUsageOf } from "../usage/sql-usage-reader.ts";
import { createSqlUsage, type Usage } from "../usage/sql-usage.ts";
import { openAdminApi } from "./open-admin-api.ts";
import { openAgentRegistry } from "./open-agent-registry.ts";
import { openCalls } from "./open-calls.ts";
import { openMcp } from "./open-mcp.ts";
import type { OnRunFailure } from "../agents/workflows/task-runs.ts";
import { createWorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import { createZoneEmit } from "../observers/create-emit.ts";
import { watchOverdueRuns } from "./overdue-runs.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** What this process does, by its roles. */
export interface OpenRoles extends Pick<ZoneBasis, "emit"> {
  /** The registry's agents, then the workflows, for processes that run tasks. */
  readonly registered: readonly RegisteredAgents[];
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
  /** Every process can start, show and stop runs, whatever its roles. */
  readonly workflows: Workflows;
  readonly purges: readonly Purge[];
  readonly start: () => Promise<void>;
  /** Takes no more calls and results, lets running work end within `graceMs` milliseconds, and releases the rest. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Call after the tasks have ended and after `stop`: leaves Kafka and closes connections to agents. */
  readonly close: () => Promise<void>;
}

/** Opens Kafka, the registry and the roles of EXECUTION_ROLES. `environment` contains the secrets of agents. */
export async function openRoles(
  given: Omit<ZoneBasis, "emit">,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenRoles> {
  const basis: ZoneBasis = { ...given, emit: createZoneEmit(given) };
  const { EXECUTION_ROLES: roles, HOST_PROFILE: profile } = basis.config;
  const pins = createSqlMcpPins(basis.database);
  const mcp = await openMcp({ ...basis, pins }, environment);
  const agents = await openAgentRegistry(basis, environment);
  const calls = await openCalls(basis, agents).catch(async (error: unknown) => {
    await agents.close();
    throw error;
  });
  const { tasks, bridge, workflows, gateway } = calls;
  const workflowAgents = roles.includes("rpc")
    ? createWorkflowAgents(workflows, runFailed(basis), agents.registry.find)
    : undefined;
  const runner = roles.includes("workflow") ? workflows : undefined;
  const { database, vault, logger } = basis;
  const usageDeps = { budgets: basis.config.BUDGETS, now: () => new Date() };
  const usage = createSqlUsage(database, { ...usageDeps, emit: basis.emit });
  const usageReader = createSqlUsageReader(database, usageDeps);
  const retentionMs = basis.config.THREAD_RETENTION;
  const summaries = createSqlThreadSummaries(database, assistantName, { vault, retentionMs });
  const overdue = watchOverdueRuns({ readings: workflows.readings, logger });
  return {
    emit: basis.emit,
    registered: [tasks?.agents, workflowAgents].filter((source) => source !== undefined),
    fileLinks: tasks?.fileLinks,
    api:
      profile === "agentcore" ? undefined : openAdminApi({ ...basis, pins }, agents, { workflows, usage: usageReader }),
    workflows,
    usage,
    usageOf: createUsageOf(usageReader, assistantName),
    summaries,
    mcp,
    purges: [
      ...(tasks ? [...tasks.purges, ...usage.purges, summaries.purge] : []),
      bridge?.purge,
      runner?.purge,
      createDeadLetterPurge(database),
    ].filter((purge) => purge !== undefined),
    start: async () => {
      await calls.start();
      // Pins their tools, or logs failures, before the first question.
      const turn = mcp?.openTurn(new AbortController().signal);
      void turn?.then(({ close }) => close());
      // Where every session is a separate machine, each would log the same line.
      if (profile !== "agentcore") overdue.start();
    },
    stop: async (graceMs) => {
      overdue.stop();
      await Promise.all([bridge?.stop(graceMs), runner?.stop(graceMs), gateway?.stop(graceMs)]);
    },
    close: async () => {
      await Promise.all([tasks?.calls.stop(), workflowAgents?.stop()]);
      await mcp?.close();
      await gateway?.close();
      await agents.close();
    },
  };
}

const runFailed =
  ({ emit }: Pick<ZoneBasis, "emit">): OnRunFailure =>
  (operation, cause) =>
    emit("task_run_unreachable", { operation, cause });
