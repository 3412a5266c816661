import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { startKafka } from "@crosszone/testkit/kafka";
import { startPostgres } from "@crosszone/testkit/postgres";
import type { Journal } from "../journal.ts";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { WireTrouble } from "../plan.ts";

/** `kafka` is PostgreSQL with a broker between tasks, runs and agents. */
export const engineNames = ["sqlite", "postgres", "kafka"] as const;

export type EngineName = (typeof engineNames)[number];

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

/** Limits of a database file. A new one has about 4 MB with its write-ahead log; an answered message adds far less than this. */
const baseBytes = 8_000_000;
const bytesPerMessage = 20_000;

/** Checks an engine's files, which no process has open: that they are whole, and not too large for so many messages. */
export function measureFiles({ url }: ChaosEngine, messages: number) {
  const paths = [url("verification"), url("execution")].flatMap((one) =>
    one.startsWith("sqlite:") ? [one.slice("sqlite:".length)] : [],
  );
  const measured = paths.map((path) => {
    const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
    const database = new DatabaseSync(path);
    try {
      const rows = database.prepare("pragma integrity_check").all();
      return { name: basename(path), bytes, integrity: rows.map((row) => String(Object.values(row)[0])).join("; ") };
    } finally {
      database.close();
    }
  });
  const complaints = measured.flatMap(({ name, bytes, integrity }) => [
    ...(integrity === "ok" ? [] : [`${name} is broken`]),
    ...(bytes > baseBytes + bytesPerMessage * messages ? [`${name} has grown to ${bytes} bytes`] : []),
  ]);
  const lines = measured.map(
    ({ name, bytes, integrity }) => `${name} ${(bytes / 1_000_000).toFixed(1)} MB, integrity ${integrity}`,
  );
  return { lines, complaints };
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

export type Gateway = Awaited<ReturnType<typeof openGateway>>;

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

const lateMs = 250;

/** A fixed address in front of processes that come and go. It forwards each connection to the port that `target` returns, refuses it without one, and can break them all. */
export async function openGateway(target: () => number | undefined) {
  const pairs = new Set<Pair>();
  let present: WireTrouble | undefined;
  let until = 0;
  let broken = 0;
  const has = (trouble: WireTrouble): boolean => trouble === present && performance.now() < until;

  function cut({ client }: Pair): true {
    broken += 1;
    client.resetAndDestroy();
    return true;
  }

  /** Carries nothing in either direction until the trouble is over. */
  function stall({ client, upstream }: Pair): void {
    for (const socket of [client, upstream]) {
      socket.pause();
      setTimeout(() => socket.resume(), until - performance.now());
    }
  }

  /** Ends the stream to the client, which can still send. */
  function halfClose({ client }: Pair): void {
    broken += 1;
    client.end();
  }

  /** What a trouble does to an open connection when it begins. */
  const effects: Partial<Record<WireTrouble, (pair: Pair) => void>> = {
    cut,
    refuse: cut,
    half_close: halfClose,
    stall,
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = target();
    if (port === undefined || has("refuse")) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const pair = { client, upstream };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
    const delayMs = (): number => (has("delay") ? lateMs : 0);
    carry(client, upstream, { delayMs });
    // The request has already arrived, so only the answer is lost.
    carry(upstream, client, { delayMs, isLost: () => has("lose_answers") && cut(pair) });
    if (has("stall")) stall(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as { port: number }).port,
    /** Number of connections that were broken on purpose. */
    get broken() {
      return broken;
    },
    /** Troubles the wire for a time, milliseconds. */
    trouble: (next: WireTrouble, forMs: number) => {
      present = next;
      until = performance.now() + forMs;
      for (const pair of pairs) effects[next]?.(pair);
    },
    close: () => {
      server.close();
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
    },
  };
}

interface CarryOptions {
  /** Returns the delay of a chunk that arrives now, milliseconds. */
  readonly delayMs: () => number;
  /** Returns whether a chunk that arrives now is lost. */
  readonly isLost?: () => boolean;
}

/** Carries bytes in one direction, in order, with backpressure. The end of one socket ends the other. */
function carry(from: Socket, to: Socket, { delayMs, isLost = () => false }: CarryOptions): void {
  let before = Promise.resolve();
  const inOrder = (act: () => void): void => {
    const late = delayMs();
    before = before.then(async () => {
      if (late > 0) await wait(late);
      return act();
    });
  };
  from.on("data", (bytes: Buffer) => {
    if (isLost()) return;
    inOrder(() => {
      if (!to.writable || to.write(bytes)) return;
      from.pause();
      to.once("drain", () => from.resume());
    });
  });
  from.on("end", () => inOrder(() => void to.end()));
}
