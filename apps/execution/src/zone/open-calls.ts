import {
  AgentCallCounts,
  AgentSlots,
  type BridgeDeps,
  type BridgeEmit,
  CircuitBreakers,
  createAgentCaller,
  createBridge,
  createCallIntake,
  createReadAgentProgress,
  showExchanges,
} from "@crosszone/agent-bridge";
import { callId, type CallIntake } from "@crosszone/agent-calls";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import {
  applyWorkflowFiles,
  createWorkflows,
  type MayStore,
  type WhyNobody,
  type Workflows,
} from "@crosszone/workflow";
import { promptModels } from "../agents/assistant/assistant-settings.ts";
import { createFetchAgentFile } from "../agents/answer-with.ts";
import { createBridgedAgents } from "../agents/bridged/bridged-agent.ts";
import { type CallPreviews, createCallPreviews, createCallProgress } from "../agents/bridged/call-previews.ts";
import { createCallEnds, createTaskCalls } from "../agents/bridged/task-calls.ts";
import { createSqlConversations } from "../agents/conversations.ts";
import { createSqlFileLinks, type FileLinks, fileLinksPath } from "../tasks/file-links.ts";
import { hasModel } from "./config/config.ts";
import { openStoredRoom } from "./open-asking.ts";
import type { OpenAgents } from "./open-agents.ts";
import { measureBridge, measureWorkflows } from "./open-gateway.ts";
import type { RoleParts } from "./open-store.ts";

/** Where the calls of this process go to, and what it shows of them. */
interface CallParts {
  readonly agents: OpenAgents;
  /** Accepts the calls of tasks and steps. */
  readonly intake: CallIntake;
  readonly previews: CallPreviews;
}

export type OpenCalls = Awaited<ReturnType<typeof openCalls>>;

/**
 * Opens where this process's tasks, runs, bridge and Kafka meet, on calls of registered agents: `tasks` with the role `rpc`, `bridge` with
 * that role.
 */
export async function openCalls(
  parts: RoleParts,
  agents: OpenAgents,
  { gateway, whyNobody }: { readonly gateway: KafkaGateway | undefined; readonly whyNobody: WhyNobody },
) {
  const { config, database, jobs, vault } = parts;
  const { EXECUTION_ROLES: roles, TASK_DEADLINE: deadlineMs } = config;
  const emit = roles.includes("bridge") ? emitAndShow(parts) : undefined;
  const here = createCallIntake({ jobs, vault, emit });
  const calls = { agents, intake: gateway?.intake ?? here, previews: createCallPreviews() };
  const stored = openStoredRoom(parts);
  const workflows = await openWorkflows(parts, calls, { whyNobody, mayStore: stored.mayStore });
  const tasks = roles.includes("rpc") ? openTaskCalls(parts, calls) : undefined;
  const runner = roles.includes("workflow") ? workflows : undefined;
  const ends = createCallEnds({ jobs, runs: workflows, advancesRuns: runner !== undefined, gateway });
  const onNotCounted = (cause: unknown): void => parts.emit("agent_store_failed", { operation: "count", cause });
  const counts = new AgentCallCounts(database, onNotCounted);
  const opened = emit && openBridge(parts, calls, { emit, ends, count: counts.count });
  const bridge = opened?.bridge;

  return {
    tasks,
    stored,
    bridge,
    circuits: opened?.circuits,
    counts,
    purges: [bridge?.purge, counts.purge],
    workflows,
    runner,
    close: async (): Promise<void> => {
      await tasks?.calls.stop();
      await counts.close();
    },
    /** Starts to call agents, to advance runs and to consume topics, by the roles. */
    start: async (): Promise<void> => {
      bridge?.start();
      runner?.start();
      // Where every session is a separate machine, each would ask all agents.
      if (config.HOST_PROFILE !== "agentcore") void agents.readCards();
      await gateway?.start({
        bridge: bridge && emit && { intake: here, drop: (id) => void bridge.drop(id), deadlineMs, emit },
        onTaskResult: tasks && ((result) => jobs.deliver(callId(result), result)),
        enterResult: runner?.enterResult,
      });
    },
  };
}

/** Returns what reports the events of the bridge, and shows them at AGENT_EXCHANGES_URL. */
function emitAndShow({ config, emit }: RoleParts): BridgeEmit {
  const { AGENT_EXCHANGES_URL: url } = config;
  if (url === undefined) return emit;
  let last: Promise<unknown> = Promise.resolve();
  const show = showExchanges((shown) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(shown);
    const post = () => fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(2_000) });
    // One at a time. What can't be posted is dropped: it is only for display.
    last = last.then(post).catch(() => undefined);
  });
  return (event, ...fields) => {
    emit(event, ...fields);
    show(event, ...fields);
  };
}

/** Opens the role `bridge`, which calls agents. */
function openBridge(
  { config, jobs, vault, metrics }: RoleParts,
  { agents, previews }: CallParts,
  { emit, ends, count }: Pick<BridgeDeps, "emit" | "ends" | "count">,
) {
  const breakers = new CircuitBreakers({
    onChange: ({ agent: agent_name, from, to }) => emit("agent_circuit_changed", { agent_name, from, to }),
  });
  const slots = new AgentSlots(config.MAX_RUNNING_TASKS);
  const circuits = () => breakers.readings();
  const bridge = createBridge({
    jobs,
    registry: agents.registry,
    caller: createAgentCaller({ adapters: agents.adapters, client: agents.client, breakers, emit }),
    slots,
    emit,
    limits: { retentionMs: config.AGENT_CALL_RETENTION_MS, mostAttempts: config.AGENT_CALL_ATTEMPTS },
    ends,
    count,
    vault,
    onArtifacts: previews.show,
    onProgress: previews.showProgress,
  });
  measureBridge(metrics, { calls: bridge.readings, circuits, slots: () => slots.readings(), isKnown: agents.isKnown });
  return { bridge, circuits };
}

/** Opens the part of agent calls that the role `rpc` uses. There are no file links without EXECUTION_PUBLIC_URL. */
function openTaskCalls({ config, database, jobs, vault, emit }: RoleParts, { agents, intake, previews }: CallParts) {
  const { EXECUTION_PUBLIC_URL: filesUrl, MAX_FILE: maxBytes, SHOW_AGENT_ERRORS: showDetail } = config;
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const links = createSqlFileLinks(database);
  const linkFile = async (file: Parameters<FileLinks["add"]>[0]): Promise<string> =>
    `${filesUrl?.replace(/\/$/, "")}${fileLinksPath}${await links.add(file)}`;
  const calls = createTaskCalls({
    intake,
    jobs,
    vault,
    deadlineMs: config.TASK_DEADLINE,
    onFailure: (operation, cause) => emit("task_call_failed", { operation, cause }),
  });
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

/**
 * Opens workflows, including those of WORKFLOWS_DIR, and their runs. Every process can start, show and stop runs; only
 * the role `workflow` executes them. Rejects with a `FileProblemsError` that names each mistake in the folder by file
 * and line.
 */
async function openWorkflows(
  { config, database, jobs, vault, metrics, emit }: RoleParts,
  { agents, intake }: CallParts,
  checks: { readonly whyNobody: WhyNobody; readonly mayStore: MayStore },
): Promise<Workflows> {
  const workflows = createWorkflows({
    jobs,
    intake,
    database,
    vault,
    agentNames: async () => (await agents.registry.listEnabled()).map(({ name }) => name),
    hasModel: hasModel(config),
    models: promptModels(config),
    ...checks,
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
    const { created, kept } = await applyWorkflowFiles(workflows, config.WORKFLOWS_DIR);
    emit("workflows_applied", { created, kept: kept.length });
  }
  // In every role: when no process has the role `workflow`, the others must report it.
  measureWorkflows(metrics, workflows.readings);
  return workflows;
}
