import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Certificate } from "../clouds/private-ca.ts";

const run = promisify(execFile);
const pom = resolve(import.meta.dirname, "pom.xml");
const cache = resolve(import.meta.dirname, "../../../../node_modules/.cache/crosszone-kafka");

/** What a machine lacks for running Kafka; its message says what to install. */
export class NoKafkaError extends Error {
  override readonly name = "NoKafkaError";
}

/**
 * The folder with the jars of Apache Kafka. The first time, Maven fetches them (about 45 MB) into `node_modules/.cache`; another
 * `pom.xml` is another folder. Throws a `NoKafkaError` where there is no Java 17 or newer, or no Maven that can fetch.
 */
export async function kafkaLibraries(): Promise<string> {
  await checkJava();
  const version = createHash("sha256")
    .update(await readFile(pom))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cache, version);
  if (!existsSync(folder)) await fetchInto(folder);
  return folder;
}

async function checkJava(): Promise<void> {
  const answer = await run("java", ["-version"]).catch((cause: unknown) => {
    throw new NoKafkaError(
      "there is no `java`: install Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless)",
      { cause },
    );
  });
  const [, version = "0"] = /version "(\d+)/.exec(answer.stderr) ?? [];
  if (Number(version) < 17) throw new NoKafkaError(`Kafka needs Java 17 or newer, here is ${version}`);
}

/** All or nothing: a parallel process fetches too, and the first complete folder stays. */
async function fetchInto(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "fetch-"));
  try {
    await cp(pom, join(work, "pom.xml"));
    const goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=jars"];
    await run("mvn", ["--quiet", "--batch-mode", ...goal], { cwd: work }).catch((cause: unknown) => {
      const missing = (cause as { code?: unknown }).code === "ENOENT";
      throw new NoKafkaError(
        missing
          ? "there is no `mvn`, which fetches Kafka: install Maven (Debian: apt-get install maven)"
          : `Maven could not fetch Kafka: ${(cause as { stdout?: string }).stdout ?? String(cause)}`,
        { cause },
      );
    });
    await rename(join(work, "jars"), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Who may come in by the listener with TLS, and the certificate that it shows. */
export interface KafkaSecurity {
  readonly certificate: Certificate;
  readonly username: string;
  readonly password: string;
}

export interface BrokerPorts {
  readonly plain: number;
  readonly controller: number;
  /** TLS with SASL; used when there is a `KafkaSecurity`. */
  readonly secure: number;
}

interface BrokerOptions {
  readonly dataFolder: string;
  readonly ports: BrokerPorts;
  readonly security?: KafkaSecurity;
}

export const saslMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

/**
 * The configuration of a broker that is its own controller, on loopback only. Sessions of consumers may be as short as tests like.
 * https://kafka.apache.org/41/documentation/#brokerconfigs
 */
export function brokerProperties({ dataFolder, ports, security }: BrokerOptions): string {
  const listeners = [
    `PLAINTEXT://127.0.0.1:${ports.plain}`,
    ...(security === undefined ? [] : [`SASL_SSL://127.0.0.1:${ports.secure}`]),
  ];
  return lines({
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.bootstrap.servers": `127.0.0.1:${ports.controller}`,
    "controller.listener.names": "CONTROLLER",
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${ports.controller}`].join(","),
    "advertised.listeners": listeners.join(","),
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": dataFolder,
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "500",
    "num.partitions": "4",
    // After a crash it may come back once its former registration has run out.
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    "auto.create.topics.enable": "false",
    ...(security && secureListener(security)),
  });
}

function secureListener({ certificate, username, password }: KafkaSecurity): Record<string, string> {
  const login = (module: string, more = ""): string => `org.apache.kafka.common.security.${module} required ${more};`;
  const listener = "listener.name.sasl_ssl";
  const scram = login("scram.ScramLoginModule");
  return {
    "ssl.keystore.type": "PEM",
    "ssl.keystore.key": certificate.key,
    "ssl.keystore.certificate.chain": certificate.cert,
    [`${listener}.sasl.enabled.mechanisms`]: saslMechanisms.join(","),
    [`${listener}.plain.sasl.jaas.config`]: login("plain.PlainLoginModule", `user_${username}="${password}"`),
    [`${listener}.scram-sha-256.sasl.jaas.config`]: scram,
    [`${listener}.scram-sha-512.sasl.jaas.config`]: scram,
  };
}

/** A properties file: a value of several lines is one line with `\n` in it. */
function lines(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value.trim().replaceAll(/\r?\n/g, "\\n")}\n`)
    .join("");
}
