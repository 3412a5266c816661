import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cleanUpAfter } from "../servers/clean-up-after.ts";
import { freePort } from "../servers/listen.ts";
import {
  type BrokerPorts,
  brokerProperties,
  kafkaLibraries,
  type KafkaSecurity,
  NoKafkaError,
} from "./kafka-libraries.ts";

const run = promisify(execFile);

/** A real broker of Apache Kafka for tests, in its own folder. It ends with this process, even after a crash. */
export interface KafkaServer {
  /** `host:port`, without TLS and without a login. */
  readonly brokers: readonly string[];
  /** With TLS and SASL; only when it was started with `security`. */
  readonly secureBrokers: readonly string[];
  /** Kills it, as a crash does. */
  readonly kill: () => Promise<void>;
  /** Starts it again, on the same folder and ports. */
  readonly start: () => Promise<void>;
  /** Suspends it: its connections stay open and get no answers. `resume` continues it. */
  readonly halt: () => void;
  readonly resume: () => void;
  /** Stops it and deletes its folder. */
  readonly stop: () => Promise<void>;
}

export interface KafkaOptions {
  readonly security?: KafkaSecurity;
  /** Where it listens; default: a free port. */
  readonly port?: number;
}

/** Creates and starts a broker; it listens on 127.0.0.1 only. Throws a `NoKafkaError` that names what the machine lacks. */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaServer> {
  for (let attempts = 1; ; attempts += 1)
    try {
      return await tryToStart(options);
    } catch (error) {
      // A port that was free can be taken by another test before the broker binds it.
      if (attempts === 3 || options.port !== undefined || !String(error).includes("Address already in use"))
        throw error;
    }
}

async function tryToStart({ security, port }: KafkaOptions): Promise<KafkaServer> {
  const classes = join(await kafkaLibraries(), "*");
  const folder = await mkdtemp(join(tmpdir(), "crosszone-kafka-"));
  const pidFile = join(folder, "broker.pid");
  const cleanUp = cleanUpAfter({ folder, pidFile, signal: "KILL" });
  const properties = join(folder, "server.properties");
  const dataFolder = join(folder, "data");
  const ports: BrokerPorts = {
    plain: port ?? (await freePort()),
    controller: await freePort(),
    secure: await freePort(),
  };
  await mkdir(dataFolder);
  await writeFile(properties, brokerProperties({ dataFolder, ports, security }), { mode: 0o600 });
  await format({ classes, properties, security });
  let broker: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    broker = spawnBroker(classes, properties);
    await writeFile(pidFile, `${broker.pid}\n`);
    await started(broker);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = broker;
    broker = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = once(ending, "exit");
    ending.kill(signal);
    await gone;
    // The clean-up must not take another process for it that gets its number.
    await rm(pidFile, { force: true });
  };
  const stop = async (): Promise<void> => {
    await end("SIGKILL");
    await cleanUp();
  };
  await start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    brokers: [`127.0.0.1:${ports.plain}`],
    secureBrokers: security === undefined ? [] : [`127.0.0.1:${ports.secure}`],
    kill: () => end("SIGKILL"),
    start,
    halt: () => void broker?.kill("SIGSTOP"),
    resume: () => void broker?.kill("SIGCONT"),
    stop,
  };
}

interface Format {
  readonly classes: string;
  readonly properties: string;
  readonly security: KafkaSecurity | undefined;
}

/** What `kafka-storage.sh format` does. Users of SCRAM are written into the first record of the cluster. */
async function format({ classes, properties, security }: Format): Promise<void> {
  const users = (security === undefined ? [] : ["SCRAM-SHA-256", "SCRAM-SHA-512"]).flatMap((mechanism) => [
    "--add-scram",
    `${mechanism}=[name=${security?.username},password=${security?.password}]`,
  ]);
  const cluster = randomBytes(16).toString("base64url").replace(/^-/, "A");
  const tool = ["kafka.tools.StorageTool", "format", "--standalone", "-t", cluster, "-c", properties];
  await run("java", ["-XX:TieredStopAtLevel=1", "-cp", classes, ...tool, ...users]);
}

function spawnBroker(classes: string, properties: string): ChildProcess {
  const log = ["-Dorg.slf4j.simpleLogger.defaultLogLevel=error", `-Dorg.slf4j.simpleLogger.log.${readyLogger}=info`];
  const small = ["-Xms64m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
  return spawn("java", [...small, ...log, "-cp", classes, "kafka.Kafka", properties], {
    stdio: ["ignore", "ignore", "pipe"],
  });
}

const readyLogger = "kafka.server.KafkaRaftServer";

/** Resolves when the broker says that it has started; rejects with what it said when it ends instead. */
async function started(broker: ChildProcess): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    broker.once("error", reject);
    broker.once("exit", () => reject(new Error(`Kafka did not start:\n${said.slice(-4_000)}`)));
    broker.stderr?.on("data", (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-20_000);
      if (said.includes("Kafka Server started")) resolve();
    });
  });
  broker.removeAllListeners("exit");
}

/** Whether tests can start a broker on this machine. Where not, it says so on stderr, with what to install: nothing is skipped in silence. */
export async function kafkaIsHere(): Promise<boolean> {
  try {
    await kafkaLibraries();
    return true;
  } catch (error) {
    if (!(error instanceof NoKafkaError)) throw error;
    process.stderr.write(`The tests with a real Kafka broker are SKIPPED: ${error.message}\n`);
    return false;
  }
}
