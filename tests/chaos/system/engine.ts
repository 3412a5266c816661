import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startKafka } from "@crosszone/testkit/kafka";
import { startPostgres } from "@crosszone/testkit/postgres";
import type { Journal } from "../journal.ts";
import { openGateway, type Gateway } from "./gateway.ts";

/** `kafka` is PostgreSQL with a broker between tasks, runs and agents. */
export type EngineName = "sqlite" | "postgres" | "kafka";

/** The durable stores of both zones. */
export interface ChaosEngine {
  /** Variables that connect the zones to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the direct URL of a zone's database, for `openDatabase`. */
  readonly url: (zone: "verification" | "execution") => string;
  /** The wire between the zones and the database server, and its kill. Undefined for files. */
  readonly server?: { readonly wire: Gateway; readonly kill: (pauseMs: number) => Promise<boolean> };
  /** The kill of the broker. Only `kafka` has it. */
  readonly broker?: { readonly kill: (pauseMs: number) => Promise<boolean> };
  readonly stop: () => Promise<void>;
}

export async function startEngine(name: EngineName, journal: Journal): Promise<ChaosEngine> {
  if (name === "sqlite") return inFolder();
  return name === "postgres" ? onServer(journal) : withBroker(journal);
}

async function inFolder(): Promise<ChaosEngine> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-chaos-"));
  return {
    env: { DATA_DIR: folder },
    url: (zone) => `sqlite:${join(folder, `${zone}.sqlite`)}`,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function onServer(journal: Journal): Promise<ChaosEngine> {
  const postgres = await startPostgres();
  const { port } = new URL(postgres.url);
  const server = createVictim("database", postgres, journal);
  const wire = await openGateway(() => (server.isAlive() ? Number(port) : undefined));
  const through = Object.assign(new URL(postgres.url), { port: String(wire.port) });

  return {
    env: { DATABASE_URL: through.href },
    url: () => postgres.url,
    server: { wire, kill: server.kill },
    stop: async () => {
      wire.close();
      await postgres.stop();
    },
  };
}

/** Starts PostgreSQL and Kafka. Throws a `NoKafkaError` that names what the machine lacks. */
async function withBroker(journal: Journal): Promise<ChaosEngine> {
  const kafka = await startKafka();
  const engine = await onServer(journal).catch(async (error: unknown) => {
    await kafka.stop();
    throw error;
  });
  return {
    ...engine,
    env: { ...engine.env, KAFKA_BROKERS: kafka.brokers.join(",") },
    broker: createVictim("broker", kafka, journal),
    stop: async () => {
      await engine.stop();
      await kafka.stop();
    },
  };
}

/** A server that can be killed. Its kill resolves when the server works again, or with false if it is dead already. */
function createVictim(
  name: string,
  { kill, start }: { readonly kill: () => Promise<unknown>; readonly start: () => Promise<unknown> },
  journal: Journal,
) {
  let alive = true;
  return {
    isAlive: () => alive,
    kill: async (pauseMs: number): Promise<boolean> => {
      if (!alive) return false;
      alive = false;
      await kill();
      journal.note(name, "ended with SIGKILL");
      await wait(pauseMs);
      await start();
      alive = true;
      journal.note(name, "started again");
      return true;
    },
  };
}
