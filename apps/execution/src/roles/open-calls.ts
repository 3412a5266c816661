import { createCallIntake, type AgentBridge } from "@crosszone/agent-bridge";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import type { Workflows } from "@crosszone/workflow";
import { createCallEnds } from "../agents/calls/call-ends.ts";
import { createCallPreviews } from "../agents/calls/call-previews.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import { openBridge } from "./open-bridge.ts";
import { openGateway } from "./open-gateway.ts";
import { openTaskCalls, type OpenTaskCalls } from "./open-task-calls.ts";
import { openWorkflows } from "./open-workflows.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** Where this process's tasks, runs, bridge and Kafka meet, on calls of registered agents. */
export interface OpenCalls {
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
    endTogether: jobs.endTogether,
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
          observer: opened.observer,
        },
        onTaskResult: tasks?.calls.deliver,
        onRunResult: advances?.takeResult,
      });
    },
  };
}
