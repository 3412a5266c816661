import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { KafkaBusOptions } from "@crosszone/kafka-gateway/kafka";
import { ConfigError, type ConfigProblem, type ConfigValues, isLoopback } from "@crosszone/service-kit";
import { z } from "zod";
import type { kafkaVariables } from "./process-variables.ts";

const variable = "KAFKA_PROPERTIES_FILE";

/** The keys of librdkafka, which managed services print for their clients. */
const properties = z.strictObject({
  "security.protocol": z
    .string()
    .toUpperCase()
    .pipe(z.enum(["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"])),
  "sasl.mechanism": z.enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]).optional(),
  "sasl.username": z.string().min(1).optional(),
  "sasl.password": z.string().min(1).optional(),
  "ssl.ca.location": z.string().min(1).optional(),
  "ssl.certificate.location": z.string().min(1).optional(),
  "ssl.key.location": z.string().min(1).optional(),
});

/** Returns how to connect to the brokers. Throws a `ConfigError` for a file that can't be used; it repeats no value. */
export function readKafkaProperties(path: string | undefined): Pick<KafkaBusOptions, "tls" | "sasl"> {
  if (path === undefined) return {};
  const lines = readText(path, "").split("\n");
  const entries = lines.flatMap((line, index) => {
    const [, key, value = ""] = /^\s*([\w.]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined && !/^\s*([#!].*)?$/.test(line)) throw unusable(`line ${index + 1} is not key=value`);
    return key === undefined ? [] : [[key, value] as const];
  });
  const read = properties.safeParse(Object.fromEntries(entries));
  if (!read.success) throw unusable(...read.error.issues.map((issue) => [...issue.path, issue.message].join(": ")));
  const { "security.protocol": protocol, "sasl.mechanism": mechanism } = read.data;
  const { "sasl.username": username, "sasl.password": password } = read.data;
  const { "ssl.ca.location": ca, "ssl.certificate.location": cert, "ssl.key.location": key } = read.data;
  const isMixed = (kind: string) =>
    entries.some(([name]) => name.startsWith(`${kind}.`)) && !protocol.includes(kind.toUpperCase());
  for (const kind of ["sasl", "ssl"])
    if (isMixed(kind)) throw unusable(`it has keys ${kind}.*, but security.protocol is ${protocol}`);
  if ((cert === undefined) !== (key === undefined))
    throw unusable("ssl.certificate.location and ssl.key.location require each other");
  const tls = protocol.endsWith("SSL") && {
    ...(ca !== undefined && { ca: readCertificates(ca, "ssl.ca.location") }),
    ...(cert !== undefined && { cert: readCertificates(cert, "ssl.certificate.location") }),
    ...(key !== undefined && { key: readText(key, "ssl.key.location") }),
  };
  if (!protocol.startsWith("SASL")) return { tls };
  if (mechanism === undefined || username === undefined || password === undefined)
    throw unusable(`${protocol} requires sasl.mechanism, sasl.username and sasl.password`);
  return { tls, sasl: { mechanism, username, password } };
}

const unusable = (...problems: readonly string[]): ConfigError =>
  new ConfigError(
    problems.map((problem) => ({ name: variable, wrong: `names a file that cannot be used: ${problem}` })),
  );

function readText(path: string, key: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw unusable(`${key === "" ? "it" : `the file of ${key}`} cannot be read (${code})`);
  }
}

/** Throws for a file without certificates: a connection would silently ignore it. */
function readCertificates(path: string, key: string): string {
  const text = readText(path, key);
  try {
    void new X509Certificate(text);
    return text;
  } catch {
    throw unusable(`the file of ${key} has no certificate in PEM`);
  }
}

type KafkaConfig = Partial<ConfigValues<typeof kafkaVariables>>;

/** Checks the variables about Kafka against each other. Variables that could not be read are absent. */
export function kafkaProblems({ KAFKA_BROKERS: brokers, KAFKA_PROPERTIES_FILE: path }: KafkaConfig): ConfigProblem[] {
  if (brokers === undefined) return [];
  if (brokers.length === 0) return [{ name: "KAFKA_BROKERS", wrong: "lists no broker" }];
  try {
    const { tls, sasl } = readKafkaProperties(path);
    const isReadable = sasl?.mechanism === "PLAIN" && !tls && !brokers.every(isOnThisMachine);
    if (isReadable) throw unusable("PLAIN sends the password unencrypted: use SASL_SSL, or SCRAM-SHA-512");
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.problems];
  }
}

/** Warns if messages travel over the network unencrypted. */
export function kafkaWarnings({ KAFKA_BROKERS: brokers = [], KAFKA_PROPERTIES_FILE: path }: KafkaConfig): string[] {
  if (brokers.every(isOnThisMachine) || readKafkaProperties(path).tls) return [];
  return [`Messages travel to the brokers unencrypted. Set security.protocol=SSL or SASL_SSL in ${variable}.`];
}

const isOnThisMachine = (broker: string): boolean => isLoopback(new URL(`kafka://${broker}`).hostname);
