import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { startDatabases, type Databases, type Engine } from "../kit/databases.ts";
import type { Progress } from "../kit/rounds.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";

/** A subject that is measured, by what it needs. */
export interface Needs<Name> {
  readonly name: Name;
  readonly engine: Engine;
  readonly onKafka: boolean;
}

/** What a measurement needs of peers that call agents. */
export interface Services {
  readonly databases: Databases;
  /** The process of all agents, and its origin. */
  readonly agents: Worker;
  readonly origin: string;
  /** Undefined when Kafka is not needed or not possible here. */
  readonly brokers: readonly string[] | undefined;
}

/** Starts databases, agents and Kafka for some work, on the subjects that can be measured here. Without Java 17, those on Kafka are skipped. */
export async function withServices<Name, T>(
  needs: readonly Needs<Name>[],
  progress: Progress,
  work: (services: Services, names: readonly Name[], skipped: readonly Name[]) => Promise<T>,
): Promise<T> {
  const hasKafka = needs.some(({ onKafka }) => onKafka) && (await kafkaIsHere());
  const possible = needs.filter(({ onKafka }) => hasKafka || !onKafka);
  const skipped = needs.filter((need) => !possible.includes(need)).map(({ name }) => name);
  if (skipped.length > 0) progress("no Java 17 on this machine: Kafka is left out\n");
  const databases = await startDatabases(new Set(possible.map(({ engine }) => engine)));
  const kafka = hasKafka ? await startKafka() : undefined;
  const agents = spawnWorker("agents/agents-worker.ts", { side: "load" });
  try {
    const origin = await agents.call<string>("listen");
    const names = possible.map(({ name }) => name);
    return await work({ databases, agents, origin, brokers: kafka?.brokers }, names, skipped);
  } finally {
    await agents.stop();
    await kafka?.stop();
    await databases.stop();
  }
}
