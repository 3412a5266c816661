import {
  AgentSlots,
  type BridgeEmit,
  CircuitBreakers,
  createAgentCaller,
  createBridge,
  createCallIntake,
  showExchanges,
  createReadAgentProgress,
} from "@crosszone/agent-bridge";
import type { CallEnds, CallIntake } from "@crosszone/agent-calls";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import {
  type WhyNobody,
  type Workflows,
  applyWorkflowFiles,
  createWorkflows,
  readWorkflowFiles,
} from "@crosszone/workflow";
import { createCallEnds } from "../agents/calls/call-ends.ts";
import { type CallPreviews, createCallPreviews, createCallProgress } from "../agents/calls/call-previews.ts";
import { measureBridge, measureWorkflows } from "../observers/gauges.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { RoleParts } from "./role-parts.ts";
import { createFetchAgentFile } from "../agents/answers/fetch-linked-files.ts";
import { createBridgedAgents } from "../agents/bridged/bridged-agent.ts";
import { createReadCalls } from "../agents/calls/call-reader.ts";
import { createTaskCalls } from "../agents/calls/task-calls.ts";
import { createSqlConversations } from "../agents/conversations.ts";
import { createSqlFileLinks, type FileLinks, fileLinksPath } from "../files/file-links.ts";

interface CallsOptions extends Omit<RoleParts, "environment" | "health"> {
  readonly agents: OpenAgents;
  readonly gateway: KafkaGateway | undefined;
  readonly whyNobody: WhyNobody;
}

/**
 * Opens where this process's tasks, runs, bridge and Kafka meet, on calls of registered agents: `tasks` with the role `rpc`, `bridge` with
 * that role.
 */
export async function openCalls(options: CallsOptions) {
  const { config, database, jobs, vault, metrics, emit, agents, gateway } = options;
  const { EXECUTION_ROLES: roles, TASK_DEADLINE: deadlineMs } = config;
  const previews = createCallPreviews();
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
  const opened = roles.includes("bridge")
    ? openBridge({ config, jobs, vault, metrics, emit, agents, previews, ends })
    : undefined;
  const bridge = opened?.bridge;
  const intake = gateway?.intake ?? bridge?.intake ?? createCallIntake({ store: jobs.store, vault });
  const agentNames = async () => (await agents.registry.listEnabled()).map(({ name }) => name);
  const workflows = await openWorkflows({ ...options, intake, agentNames });
  const tasks = roles.includes("rpc")
    ? openTaskCalls({ config, database, jobs, vault, emit, agents, previews, intake })
    : undefined;
  Object.assign(late, { tasks, workflows });

  return {
    tasks,
    bridge,
    workflows,
    /** Starts to call agents, to advance runs and to consume topics, by the roles. */
    start: async (): Promise<void> => {
      const advances = roles.includes("workflow") ? workflows : undefined;
      bridge?.start();
      advances?.start();
      await gateway?.start({
        bridge: opened && {
          intake: opened.bridge.intake,
          drop: (id) => void opened.bridge.drop(id),
          deadlineMs,
          emit: opened.emit,
        },
        onTaskResult: tasks?.calls.deliver,
        onRunResult: advances?.takeResult,
      });
    },
  };
}

interface BridgeOptions extends Omit<CallsOptions, "database" | "gateway" | "whyNobody"> {
  readonly previews: CallPreviews;
  readonly ends: CallEnds;
}

/** Opens the role `bridge`, which calls agents. Returns it with what reports its events. */
function openBridge(options: BridgeOptions) {
  const { config, jobs, vault, metrics, agents, previews, ends } = options;
  const { registry, client, adapters, isKnown } = agents;
  const { AGENT_EXCHANGES_URL: exchangesUrl } = config;
  const show = exchangesUrl === undefined ? undefined : showExchanges(postTo(exchangesUrl));
  const emit: BridgeEmit = (event, ...fields) => {
    options.emit(event, ...fields);
    show?.(event, ...fields);
  };
  const breakers = new CircuitBreakers({
    onChange: ({ agent: agent_name, from, to }) => emit("agent_circuit_changed", { agent_name, from, to }),
  });
  const slots = new AgentSlots(config.MAX_RUNNING_TASKS);
  const caller = createAgentCaller({ adapters, client, breakers, emit });
  const limits = { retentionMs: config.AGENT_CALL_RETENTION_MS, mostAttempts: config.AGENT_CALL_ATTEMPTS };
  const bridge = createBridge({
    jobs,
    registry,
    caller,
    slots,
    emit,
    limits,
    ends,
    vault,
    onArtifacts: previews.show,
    onProgress: previews.showProgress,
  });
  measureBridge(metrics, {
    calls: bridge.readings,
    circuits: () => breakers.readings(),
    slots: () => slots.readings(),
    isKnown,
  });
  return { bridge, emit };
}

/**
 * Returns a function that posts values as JSON, one at a time. Values that can't be posted are dropped: they are only
 * for display.
 */
function postTo(url: string): (shown: unknown) => void {
  let last = Promise.resolve();
  return (shown) => {
    const body = JSON.stringify(shown);
    const post = (): Promise<unknown> =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(2_000),
      });
    last = last.then(post).then(
      () => undefined,
      () => undefined,
    );
  };
}

interface TaskCallsOptions extends Pick<RoleParts, "config" | "database" | "jobs" | "vault" | "emit"> {
  readonly agents: OpenAgents;
  readonly previews: CallPreviews;
  /** Accepts the calls of tasks. */
  readonly intake: CallIntake;
}

/** Calls of registered agents for tasks, and their results. */
type OpenTaskCalls = ReturnType<typeof openTaskCalls>;

/** Opens the part of agent calls that the role `rpc` uses. There are no file links without EXECUTION_PUBLIC_URL. */
function openTaskCalls(options: TaskCallsOptions) {
  const { config, database, jobs, vault, emit, agents, previews, intake } = options;
  const { EXECUTION_PUBLIC_URL: filesUrl, MAX_FILE: maxBytes, SHOW_AGENT_ERRORS: showDetail } = config;
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const links = createSqlFileLinks(database);
  const linkFile = async (file: Parameters<FileLinks["add"]>[0]): Promise<string> =>
    `${filesUrl?.replace(/\/$/, "")}${fileLinksPath}${await links.add(file)}`;
  const calls = createTaskCalls({
    intake,
    jobs: jobs.store,
    read: createReadCalls(database, vault),
    deadlineMs: config.TASK_DEADLINE,
    onFailure: (operation, cause) => emit("task_call_failed", { operation, cause }),
  });
  jobs.onEnded(calls.readSoon);
  const registered = createBridgedAgents(agents.registry, {
    calls,
    conversations,
    openPreview: previews.open,
    progress: createCallProgress(createReadAgentProgress(database, vault)),
    showDetail,
    agentFiles: { maxBytes, fetchFile: createFetchAgentFile(agents.client, config.FILE_TIMEOUT_MS) },
    fileLinks: filesUrl === undefined ? undefined : { maxBytes, linkFile },
  });
  const fileLinks = filesUrl === undefined ? undefined : links;
  return { calls, registered, fileLinks, purges: [conversations.purge, links.purge] };
}

interface WorkflowsOptions extends Omit<RoleParts, "environment" | "health"> {
  /** Accepts the calls of steps. */
  readonly intake: CallIntake;
  /** Returns the names of the agents that steps can use. */
  readonly agentNames: () => Promise<readonly string[]>;
  readonly whyNobody: WhyNobody;
}

/**
 * Opens workflows, including those of WORKFLOWS_DIR, and their runs. Every process can start, show and stop runs; only
 * the role `workflow` executes them. Rejects with a `FileProblemsError` that names each mistake in the folder by file
 * and line.
 */
async function openWorkflows(options: WorkflowsOptions): Promise<Workflows> {
  const { config, database, jobs, vault, metrics, emit, intake, agentNames, whyNobody } = options;
  const workflows = createWorkflows({
    jobs,
    intake,
    database,
    vault,
    agentNames,
    whyNobody,
    emit,
    limits: {
      deadlineMs: config.WORKFLOW_DEADLINE_MS,
      stepTimeoutMs: config.WORKFLOW_STEP_TIMEOUT_MS,
      maxRunning: config.MAX_RUN_TASKS,
      maxRunBytes: config.MAX_RUN_SIZE,
      retentionMs: config.WORKFLOW_RUN_RETENTION_MS,
    },
  });
  if (config.WORKFLOWS_DIR !== undefined) {
    const { created, kept } = await applyWorkflowFiles(workflows, await readWorkflowFiles(config.WORKFLOWS_DIR));
    emit("workflows_applied", { created, kept: kept.length });
  }
  // In every role: when no process has the role `workflow`, the others must report it.
  measureWorkflows(metrics, workflows.readings);
  return workflows;
}
