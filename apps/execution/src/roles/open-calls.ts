import { type AgentBridge, createCallIntake, createReadAgentProgress } from "@crosszone/agent-bridge";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import { type Workflows, applyWorkflowFiles, createWorkflows, readWorkflowFiles } from "@crosszone/workflow";
import { type CallIntake, agentResultKind } from "@crosszone/jobs";
import type { Purge } from "@crosszone/service-kit";
import { createCallEnds } from "../agents/calls/call-ends.ts";
import { type CallPreviews, createCallPreviews, createCallProgress } from "../agents/calls/call-previews.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import { openBridge } from "./open-bridge.ts";
import { openGateway } from "./open-gateway.ts";
import type { ZoneBasis } from "./zone-basis.ts";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import { createFetchAgentFile } from "../agents/answers/fetch-linked-files.ts";
import { createBridgedAgents } from "../agents/bridged/bridged-agent.ts";
import { createReadCalls } from "../agents/calls/call-reader.ts";
import { createTaskCalls, type TaskCalls } from "../agents/calls/task-calls.ts";
import { createSqlConversations } from "../agents/conversations.ts";
import { createSqlFileLinks, type FileLinks, fileLinksPath, type NewFileLink } from "../files/file-links.ts";
import { measureWorkflows } from "../observers/observe-bridge.ts";

/** The part of agent calls that the role `rpc` uses: calls for tasks, and their results. */
interface OpenTaskCalls {
  readonly agents: RegisteredAgents;
  readonly calls: TaskCalls;
  /** Undefined without EXECUTION_PUBLIC_URL. */
  readonly fileLinks: FileLinks | undefined;
  readonly purges: readonly Purge[];
}

function openTaskCalls(
  { config, database, jobs, vault, emit }: ZoneBasis,
  { registry, client, previews }: Pick<OpenAgents, "registry" | "client"> & { readonly previews: CallPreviews },
  intake: CallIntake,
): OpenTaskCalls {
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const links = createSqlFileLinks(database);
  const { EXECUTION_PUBLIC_URL: filesUrl, MAX_FILE: maxBytes } = config;
  const linkFile = async (file: NewFileLink): Promise<string> =>
    `${filesUrl?.replace(/\/$/, "")}${fileLinksPath}${await links.add(file)}`;
  const calls = createTaskCalls({
    intake,
    jobs: jobs.store,
    read: createReadCalls(database, vault),
    deadlineMs: config.TASK_DEADLINE,
    onFailure: (operation, cause) => emit("task_call_failed", { operation, cause }),
  });
  jobs.onEnded(calls.readSoon);
  return {
    agents: createBridgedAgents(registry, {
      calls,
      conversations,
      previews,
      progress: createCallProgress(createReadAgentProgress(database, vault)),
      showDetail: config.SHOW_AGENT_ERRORS,
      agentFiles: { maxBytes, fetchFile: createFetchAgentFile(client, config.FILE_TIMEOUT_MS) },
      ...(filesUrl !== undefined && { fileLinks: { maxBytes, linkFile } }),
    }),
    calls,
    fileLinks: filesUrl === undefined ? undefined : links,
    purges: [conversations.purge, links.purge],
  };
}

/** Where this process's tasks, runs, bridge and Kafka meet, on calls of registered agents. */
interface OpenCalls {
  /** Present with the role `rpc`. */
  readonly tasks: OpenTaskCalls | undefined;
  /** Present with the role `bridge`. */
  readonly bridge: AgentBridge | undefined;
  readonly workflows: Workflows;
  /** Present with KAFKA_BROKERS. */
  readonly gateway: KafkaGateway | undefined;
  /** Starts to call agents, to advance runs and to consume topics, by the roles. */
  readonly start: () => Promise<void>;
}

export async function openCalls(basis: ZoneBasis, agents: OpenAgents): Promise<OpenCalls> {
  const { config, jobs, vault } = basis;
  const { EXECUTION_ROLES: roles } = config;
  const gateway = await openGateway(basis);
  const called = { ...agents, previews: createCallPreviews() };
  // Calls end only after `start`, when all of these exist.
  const late: { tasks?: OpenTaskCalls; workflows?: Workflows } = {};
  const runs = (): Workflows => late.workflows as Workflows;
  const ends = createCallEnds({
    store: jobs.store,
    deliverToTask: (result) => late.tasks?.calls.deliver(result) ?? false,
    runs: { endCall: (end) => runs().endCall(end), handOver: (end) => runs().handOver(end) },
    advancesRuns: roles.includes("workflow"),
    gateway,
  });
  const opened = roles.includes("bridge") ? openBridge(basis, called, ends) : undefined;
  const bridge = opened?.bridge;
  const intake = gateway?.intake ?? bridge?.intake ?? createCallIntake({ store: jobs.store, vault });
  const workflows = await openWorkflows(basis, agents, intake).catch(async (error: unknown) => {
    await gateway?.close();
    throw error;
  });
  const tasks = roles.includes("rpc") ? openTaskCalls(basis, called, intake) : undefined;
  Object.assign(late, { tasks, workflows });

  return {
    tasks,
    bridge,
    workflows,
    gateway,
    start: async () => {
      const advances = roles.includes("workflow") ? workflows : undefined;
      bridge?.start();
      advances?.start();
      await gateway?.start({
        bridge: opened && {
          intake: opened.bridge.intake,
          drop: (id) => void opened.bridge.drop(id),
          deadlineMs: config.TASK_DEADLINE,
          emit: opened.emit,
        },
        onTaskResult: tasks?.calls.deliver,
        onRunResult: advances?.takeResult,
      });
    },
  };
}

/**
 * Opens workflows, including those of WORKFLOWS_DIR, and their runs. Every process can start, show and stop runs; only
 * the role `workflow` executes them. Rejects with a `FileProblemsError` that names each mistake in the folder by file
 * and line.
 */
async function openWorkflows(
  { config, database, jobs, vault, logger, metrics, emit }: ZoneBasis,
  { registry }: Pick<OpenAgents, "registry">,
  intake: CallIntake,
): Promise<Workflows> {
  const workflows = createWorkflows({
    jobs: jobs.store,
    lease: jobs.lease,
    intake,
    database,
    vault,
    agentNames: async () => (await registry.listEnabled()).map(({ name }) => name),
    emit,
    limits: {
      deadlineMs: config.WORKFLOW_DEADLINE_MS,
      stepTimeoutMs: config.WORKFLOW_STEP_TIMEOUT_MS,
      maxRunning: config.MAX_RUN_TASKS,
      maxRunBytes: config.MAX_RUN_SIZE,
      retentionMs: config.WORKFLOW_RUN_RETENTION_MS,
    },
  });
  jobs.join({ kind: agentResultKind, wake: workflows.wake, lose: workflows.lose });
  if (config.WORKFLOWS_DIR !== undefined) {
    const { created, kept } = await applyWorkflowFiles(workflows, await readWorkflowFiles(config.WORKFLOWS_DIR));
    logger.info("workflows_applied", { created, kept: kept.length });
  }
  // In every role: when no process has the role `workflow`, the others must report it.
  measureWorkflows(metrics, workflows);
  return workflows;
}
