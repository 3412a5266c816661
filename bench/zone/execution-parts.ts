import {
  createAdapters,
  createAddressRules,
  createAgentCaller,
  createAgentClient,
  createAgentRegistry,
  AgentSlots,
  createBridge,
  createCallIntake,
  CircuitBreakers,
  createSecretRules,
  createSecretSource,
} from "@crosszone/agent-bridge";
import type { AgentRecord } from "@crosszone/contracts";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { openKafkaGateway, type GatewayRoles, type KafkaBusOptions } from "@crosszone/kafka-gateway/kafka";
import { createRecordCodec, type Emit } from "@crosszone/service-kit";
import {
  executionJobs,
  latestJobsStep,
  type CallEnds,
  type ExecutionColumn,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { openProcessJobs, type ProcessJobs } from "@crosszone/jobs";
import { deadLettersStep, type DeadLetterTables } from "@crosszone/kafka-gateway";
import { joinSteps, openDatabase, type Database } from "@crosszone/sql";
import type { PeerStorage } from "../agents/services.ts";
import { workflowsStep, type WorkflowTables } from "@crosszone/workflow";
import { zoneTelemetry } from "./telemetry.ts";

export interface OpenedZone {
  readonly database: Database<ExecutionJobTables & DeadLetterTables & WorkflowTables>;
  readonly jobs: ProcessJobs<ExecutionColumn>;
  readonly emit: Emit<ExecutionEvent>;
  /** How to connect to Kafka; undefined without it. */
  readonly kafka: KafkaBusOptions | undefined;
}

/** Opens a database and its jobs as a process of the execution zone does. */
export async function openZone({ databaseUrl, brokers, run }: PeerStorage): Promise<OpenedZone> {
  const { emit } = zoneTelemetry();
  const database: OpenedZone["database"] = await openDatabase({
    url: databaseUrl,
    schema: "zone",
    migrations: { "0001_tables": joinSteps(latestJobsStep, deadLettersStep, workflowsStep) },
  });
  const jobs = openProcessJobs({ database, schema: executionJobs, leaseMs: 30_000, emit });
  await jobs.start();
  const kafka = brokers && { brokers, clientId: "bench", topicPrefix: `${run}.`, createTopics: { partitions: 4 } };
  return { database, jobs, emit, kafka };
}

interface BridgePlan extends OpenedZone {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** How many tasks of all agents run at once. */
  readonly concurrency: number;
  /** Receives the ends of calls. With Kafka, they are published instead. */
  readonly ends: CallEnds;
  /** Accepts the results of steps from Kafka. */
  readonly enterResult?: GatewayRoles["enterResult"];
}

/** Creates the bridge as the zone does: with its log, metrics, address rules, circuits, slots and gateway. */
export async function createZoneBridge(plan: BridgePlan) {
  const { database, jobs, emit, kafka, agents, origin, concurrency, ends, enterResult } = plan;
  const adapters = createAdapters();
  const client = createAgentClient({
    rules: createAddressRules({ origins: [origin] }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: createSecretRules({ bindings: [] }),
  });
  const codec = createRecordCodec(undefined);
  const gateway = kafka && (await openKafkaGateway({ ...kafka, database, jobs, codec, emit }));
  const bridge = createBridge({
    jobs,
    registry: createAgentRegistry({ store: { all: async () => agents } }),
    caller: createAgentCaller({ adapters, client, breakers: new CircuitBreakers(), emit }),
    slots: new AgentSlots(concurrency),
    emit,
    limits: { retentionMs: 86_400_000, mostAttempts: 3 },
    ends:
      gateway === undefined
        ? ends
        : { end: ({ headers }, { ending, result }) => gateway.publishResult(ending, result, headers) },
  });
  const intake = createCallIntake({ jobs, emit });
  return {
    /** Accepts agent calls. */
    intake: gateway?.intake ?? intake,
    start: async () => {
      bridge.start();
      await gateway?.start({ bridge: { intake, drop: bridge.drop, deadlineMs: 3_600_000, emit }, enterResult });
    },
  };
}
