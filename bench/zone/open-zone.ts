import { executionJobsStep, createJobEvents, createJobLease, createJobStore, executionJobs } from "@crosszone/jobs";
import type { ExecutionColumn, ExecutionJobTables, JobLease, JobStore } from "@crosszone/jobs";
import { deadLettersStep, type DeadLetterTables } from "@crosszone/kafka-gateway";
import type { KafkaBusOptions } from "@crosszone/kafka-gateway/kafka";
import { joinSteps, openDatabase, type Database } from "@crosszone/sql";
import type { PeerStorage } from "../kit/peer-processes.ts";
import { workflowsStep, type WorkflowTables } from "@crosszone/workflow";

export interface OpenedZone {
  readonly database: Database<ExecutionJobTables & DeadLetterTables & WorkflowTables>;
  readonly store: JobStore<ExecutionColumn>;
  readonly lease: JobLease;
  /** Wakes a worker when any process has stored jobs of its kind. */
  readonly join: (kind: string, wake: (share?: string) => void) => void;
  /** How to connect to Kafka; undefined without it. */
  readonly kafka: KafkaBusOptions | undefined;
}

/** Opens a database and its jobs as a process of the execution zone does. */
export async function openZone({ databaseUrl, brokers, run }: PeerStorage): Promise<OpenedZone> {
  const database: OpenedZone["database"] = await openDatabase({
    url: databaseUrl,
    schema: "zone",
    migrations: {
      "0001_tables": joinSteps(executionJobsStep, deadLettersStep, workflowsStep),
    },
  });
  const failed = (cause: unknown): never => {
    throw new Error("the lease of the peer was lost", { cause });
  };
  const lease = createJobLease({
    database,
    leaseMs: 30_000,
    onLost: () => failed(undefined),
    onReaped: () => undefined,
    observer: { storeFailed: (_, cause) => failed(cause) },
  });
  await lease.start();
  const events = createJobEvents(database);
  await events.start();
  const join: OpenedZone["join"] = (kind, wake) =>
    void events.onReady((share) => (share === undefined || share.split(" ", 1)[0] === kind) && wake(share));
  const store = createJobStore({ database, lease, schema: executionJobs });
  return { database, store, lease, join, kafka: brokers && kafkaOptions(brokers, run) };
}

function kafkaOptions(brokers: readonly string[], run: string): KafkaBusOptions {
  return { brokers, clientId: "bench", topicPrefix: `${run}.`, createTopics: { partitions: 4 } };
}
