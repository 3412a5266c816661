import { type AgentBridge, createCallIntake } from "@crosszone/agent-bridge";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import type { Emit, Metrics, Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import { createCallEnds } from "../agents/calls/call-ends.ts";
import { createCallPreviews } from "../agents/calls/call-previews.ts";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase, ZoneJobs } from "../database/open-execution-database.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import { openBridge } from "./open-bridge.ts";
import { openTaskCalls, type OpenTaskCalls } from "./open-task-calls.ts";
import { openWorkflows } from "./open-workflows.ts";

export interface CallsOptions {
  readonly config: ExecutionConfig;
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault: Vault | undefined;
  readonly metrics: Metrics;
  readonly emit: Emit<ExecutionEvent>;
  readonly agents: OpenAgents;
  readonly gateway: KafkaGateway | undefined;
}

/** Where this process's tasks, runs, bridge and Kafka meet, on calls of registered agents. */
interface OpenCalls {
  /** Present with the role `rpc`. */
  readonly tasks: OpenTaskCalls | undefined;
  /** Present with the role `bridge`. */
  readonly bridge: AgentBridge | undefined;
  readonly workflows: Workflows;
  /** Starts to call agents, to advance runs and to consume topics, by the roles. */
  readonly start: () => Promise<void>;
}

export async function openCalls(options: CallsOptions): Promise<OpenCalls> {
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
  const workflows = await openWorkflows({ config, database, jobs, vault, metrics, emit, intake, agentNames });
  const tasks = roles.includes("rpc")
    ? openTaskCalls({ config, database, jobs, vault, emit, agents, previews, intake })
    : undefined;
  Object.assign(late, { tasks, workflows });

  return {
    tasks,
    bridge,
    workflows,
    start: async () => {
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
