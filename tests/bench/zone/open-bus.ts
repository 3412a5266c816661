import { agentCallEndsStep, agentCallFilesStep, agentCallsStep, type AgentCallTables } from "@crosszone/agent-bridge";
import { busLanesStep, busStep, createEmbeddedBus, type BusTables, type MessageBus } from "@crosszone/bus";
import { createKafkaBus } from "@crosszone/bus/kafka";
import { channels } from "@crosszone/contracts";
import { openDatabase, type Database } from "@crosszone/sql";
import { workflowsStep, workflowTurnsStep, type WorkflowTables } from "@crosszone/workflow";

/** Where a peer's bus is. */
export interface BusPlan {
  readonly databaseUrl: string;
  /** Undefined: the bus is in the database. */
  readonly brokers: readonly string[] | undefined;
  /** Makes topics this peer's own. */
  readonly run: string;
}

export interface OpenedBus {
  readonly bus: MessageBus;
  readonly database: Database<BusTables & AgentCallTables & WorkflowTables>;
}

/** A bus and a database as a process of the zone has them. Results go to one group. */
export async function openBus({ databaseUrl, brokers, run }: BusPlan, resultGroup: string): Promise<OpenedBus> {
  const database = await openDatabase<BusTables & AgentCallTables & WorkflowTables>({
    url: databaseUrl,
    schema: "zone",
    migrations: {
      "0002_bus": busStep,
      "0004_agent_calls": agentCallsStep,
      "0006_workflows": workflowsStep,
      "0007_agent_call_files": agentCallFilesStep,
      "0010_agent_call_ends": agentCallEndsStep,
      "0011_workflow_turns": workflowTurnsStep,
      "0013_bus_lanes": busLanesStep,
    },
  });
  const bridge = ["agent-bridge"];
  const groups = { agent_tasks: bridge, agent_cancellations: bridge, agent_results: [resultGroup] };
  if (brokers === undefined) return { database, bus: createEmbeddedBus({ database, groups }) };
  const topics = Object.fromEntries(Object.entries(channels).map(([name, { topic }]) => [name, `${topic}.${run}`]));
  const createTopics = { partitions: 4, replicas: 1 };
  return {
    database,
    bus: await createKafkaBus({ brokers, clientId: "bench", topics, createTopics, groups, database }),
  };
}
