import { randomUUID } from "node:crypto";
import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { startDatabases, withDatabase, type Databases, type Engine } from "../kit/databases.ts";
import type { Progress } from "../kit/benchmark.ts";
import { spawnWorker, withWorkers, type Side, type Worker } from "../kit/worker.ts";

/** How long each peer is measured, milliseconds. */
export interface Times {
  /** Before the measurement in each process: less would measure code that is not optimized yet. */
  readonly warmUpMs: number;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
}

/** A subject that is measured, by what it needs. */
export interface Needs<Name> {
  readonly name: Name;
  readonly engine: Engine;
  readonly onKafka: boolean;
}

/** What a measurement needs of peers that call agents. */
export interface Services {
  readonly databases: Databases;
  /** The origin of all agents. */
  readonly origin: string;
  /** Undefined when Kafka is not needed or not possible here. */
  readonly brokers: readonly string[] | undefined;
}

/** Starts databases, agents and Kafka for some work, on the subjects that can be measured here. Without Java 17, those on Kafka are skipped. */
export async function withServices<Name, T>(
  needs: readonly Needs<Name>[],
  progress: Progress,
  work: (services: Services, names: readonly Name[]) => Promise<T>,
): Promise<T> {
  const hasKafka = needs.some(({ onKafka }) => onKafka) && (await kafkaIsHere());
  const possible = needs.filter(({ onKafka }) => hasKafka || !onKafka);
  if (possible.length < needs.length) progress("no Java 17 on this machine: Kafka is left out\n");
  const databases = await startDatabases(new Set(possible.map(({ engine }) => engine)));
  const kafka = hasKafka ? await startKafka() : undefined;
  const agents = spawnWorker("agents/agents-worker.ts", { side: "load" });
  try {
    const origin = await agents.call<string>("listen");
    const names = possible.map(({ name }) => name);
    return await work({ databases, origin, brokers: kafka?.brokers }, names);
  } finally {
    await agents.stop();
    await kafka?.stop();
    await databases.stop();
  }
}

/** Where a peer keeps its data. */
export interface PeerStorage {
  readonly databaseUrl: string;
  /** Undefined: agent calls are in the database alone. */
  readonly brokers: readonly string[] | undefined;
  /** Makes topics this peer's own. */
  readonly run: string;
}

/** Processes of one peer on one empty database. */
interface ProcessesPlan {
  readonly module: string;
  readonly count?: number;
  readonly side?: Side;
  readonly databases: Databases;
  readonly engine: Engine;
  readonly brokers: readonly string[] | undefined;
  /** What the command `start` receives, besides the storage. */
  readonly order: object;
}

/** Starts processes one after another; ends them and drops their database after the work. */
export function withProcesses<T>(plan: ProcessesPlan, work: (workers: readonly Worker[]) => Promise<T>): Promise<T> {
  const { module, count = 1, side, databases, engine, brokers, order } = plan;
  return withDatabase(databases, engine, ({ url }) =>
    withWorkers(async (start) => {
      const storage: PeerStorage = { databaseUrl: url, brokers, run: randomUUID() };
      const workers: Worker[] = [];
      while (workers.length < count) {
        const worker = start(module, { side });
        workers.push(worker);
        await worker.call("start", { ...storage, ...order }, 60_000);
      }
      return work(workers);
    }),
  );
}
