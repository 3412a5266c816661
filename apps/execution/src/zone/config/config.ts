import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { chooseModel, isModelProblem } from "@crosszone/assistant";
import {
  brokenRules,
  ConfigError,
  type ConfigProblem,
  databaseWarnings,
  encryptedRule,
  type Environment,
  isLoopback,
  isReadableOnTheWay,
  loadConfig,
  zoneProblems,
} from "@crosszone/service-kit";
import { nearName } from "@crosszone/service-kit/text";
import { z } from "zod";
import { chooseListening } from "../../doors/host-profile.ts";
import { checkCallers } from "./callers.ts";
import { type ExecutionConfig, executionConfig, type LoadedExecutionConfig } from "./variables.ts";

/** Checks the variables about programs against each other. Variables that could not be read are absent. */
function askProblems(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const { ASK_PORT: askPort, ASK_URL: askUrl, HOST_PROFILE: profile, EXECUTION_HOST: host } = config;
  if (askPort === undefined || profile === undefined) return [];
  const zone = chooseListening(profile, { host, port: config.EXECUTION_PORT, hostPort: config.PORT });
  const isSession = profile === "agentcore";
  return brokenRules([
    [isSession, "ASK_PORT", "is set, but on HOST_PROFILE=agentcore every session is a separate machine", "no value"],
    [askPort !== 0 && askPort === zone.port, "ASK_PORT", `is the port of the zone link, ${zone.port}`, "another port"],
    [
      !isSession && askUrl === undefined && !isLoopback(zone.host),
      "ASK_URL",
      `is not set, but other machines can reach ASK_PORT at ${zone.host}`,
      "the URL that programs use, or EXECUTION_HOST=127.0.0.1",
    ],
    encryptedRule("ASK_URL", askUrl),
  ]);
}

const propertiesVariable = "KAFKA_PROPERTIES_FILE";

const mechanism = z
  .string()
  .transform((text) => text.toUpperCase().replaceAll("_", "-"))
  .pipe(z.enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]));

/** The keys of librdkafka and of Java, which managed services print for their clients. */
const properties = z.object({
  "bootstrap.servers": z.string().optional(),
  "client.id": z.string().min(1).optional(),
  "security.protocol": z
    .string({ error: "is missing: write SASL_SSL, SSL, SASL_PLAINTEXT or PLAINTEXT" })
    .toUpperCase()
    .pipe(z.enum(["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"])),
  "sasl.mechanism": mechanism.optional(),
  "sasl.username": z.string().min(1).optional(),
  "sasl.password": z.string().min(1).optional(),
  "sasl.jaas.config": z.string().optional(),
  "ssl.ca.location": z.string().min(1).optional(),
  "ssl.certificate.location": z.string().min(1).optional(),
  "ssl.key.location": z.string().min(1).optional(),
});

const knownKeys = Object.keys(properties.shape);

/** Other names of these keys. */
const sameKeys: Readonly<Record<string, string>> = {
  "sasl.mechanisms": "sasl.mechanism",
  "metadata.broker.list": "bootstrap.servers",
};

const javaStore = "a Java store can't be read: export it to PEM, and write";
const instead: Readonly<Record<string, string>> = {
  "ssl.truststore.location": `${javaStore} ssl.ca.location`,
  "ssl.keystore.location": `${javaStore} ssl.certificate.location and ssl.key.location`,
  "ssl.key.password": "write ssl.key.location with a key that has no password",
};

/** Returns what to write instead of a key that is about security; undefined for a known key, and for one that has no effect here. */
function wrongProperty(key: string): string | undefined {
  if (knownKeys.includes(key) || !/^(sasl|ssl|security)\./.test(key)) return undefined;
  // Certificates and the names in them are always checked, as these say.
  if (key === "ssl.endpoint.identification.algorithm" || /^ssl\.(trust|key)store\.(type|password)$/.test(key))
    return undefined;
  const near = nearName(key, knownKeys);
  return `${key}: ${instead[key] ?? (near === undefined ? `is not known: write ${knownKeys.join(", ")}` : `did you mean ${near}?`)}`;
}

/** Returns the lines of a properties file as pairs. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html */
function readProperties(text: string): readonly (readonly [key: string, value: string])[] {
  const lines = text.replaceAll(/\\\r?\n\s*/g, "").split("\n");
  return lines.flatMap((line, index) => {
    const [, key, value = ""] = /^\s*([\w.]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined && !/^\s*([#!].*)?$/.test(line)) throw unusable(`line ${index + 1} is not key=value`);
    return key === undefined ? [] : [[sameKeys[key] ?? key, value] as const];
  });
}

/** Returns the user and the password of Java's form, `… required username="u" password="p";`. */
function readJaas(text = ""): Readonly<Record<string, string>> {
  const members = text.matchAll(/\b(username|password)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g);
  return Object.fromEntries(
    [...members].map(([, name, one, other = ""]) => [name, one?.replaceAll(/\\(.)/g, "$1") ?? other]),
  );
}

/** Returns how to connect to the brokers. Throws a `ConfigError` for a file that can't be used; it repeats no value. */
export function readKafkaProperties(path: string | undefined) {
  if (path === undefined) return {};
  const entries = readProperties(readText(path, ""));
  const wrong = entries.flatMap(([key]) => wrongProperty(key) ?? []);
  const read = properties.safeParse(Object.fromEntries(entries));
  const issues = read.error?.issues.map((issue) => [...issue.path, issue.message].join(": ")) ?? [];
  if (!read.success || wrong.length > 0) throw unusable(...wrong, ...issues);
  const { "security.protocol": protocol, "sasl.mechanism": saslMechanism, "client.id": clientId } = read.data;
  const jaas = readJaas(read.data["sasl.jaas.config"]);
  const { "sasl.username": username = jaas["username"], "sasl.password": password = jaas["password"] } = read.data;
  const { "ssl.ca.location": ca, "ssl.certificate.location": cert, "ssl.key.location": key } = read.data;
  const bootstrap = read.data["bootstrap.servers"];
  const isMixed = (kind: string) =>
    entries.some(([name]) => name.startsWith(`${kind}.`)) && !protocol.includes(kind.toUpperCase());
  for (const kind of ["sasl", "ssl"])
    if (isMixed(kind)) throw unusable(`it has keys ${kind}.*, but security.protocol is ${protocol}`);
  if ((cert === undefined) !== (key === undefined))
    throw unusable("ssl.certificate.location and ssl.key.location require each other");
  const tls = protocol.endsWith("SSL") && {
    ca: ca === undefined ? undefined : readCertificates(ca, "ssl.ca.location"),
    cert: cert === undefined ? undefined : readCertificates(cert, "ssl.certificate.location"),
    key: key === undefined ? undefined : readText(key, "ssl.key.location"),
  };
  if (!protocol.startsWith("SASL")) return { bootstrap, clientId, tls };
  if (saslMechanism === undefined || username === undefined || password === undefined)
    throw unusable(`${protocol} requires sasl.mechanism, sasl.username and sasl.password`);
  return { bootstrap, clientId, tls, sasl: { mechanism: saslMechanism, username, password } };
}

const unusable = (...problems: readonly string[]): ConfigError =>
  new ConfigError(
    problems.map((problem) => ({ name: propertiesVariable, wrong: `names a file that cannot be used: ${problem}` })),
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

/** Checks the variables about Kafka against each other. Variables that could not be read are absent. */
function kafkaProblems({
  KAFKA_BROKERS: brokers,
  KAFKA_PROPERTIES_FILE: path,
}: Partial<ExecutionConfig>): ConfigProblem[] {
  if (brokers?.length === 0) return [{ name: "KAFKA_BROKERS", wrong: "lists no broker" }];
  try {
    const { tls, sasl, bootstrap } = readKafkaProperties(path);
    const wrong = `is not set, but ${propertiesVariable} is: without brokers, messages stay in the database`;
    if (brokers === undefined)
      return path === undefined
        ? []
        : [{ name: "KAFKA_BROKERS", wrong, expected: "the brokers, such as bootstrap.servers" }];
    const others = bootstrap?.split(",").filter((one) => !brokers.includes(one.replace(/^\w+:\/\//, "").trim())) ?? [];
    if (others.length > 0)
      throw unusable("bootstrap.servers names other brokers than KAFKA_BROKERS: remove one of the two");
    const isReadable = sasl?.mechanism === "PLAIN" && !tls && !brokers.every(isOnThisMachine);
    if (isReadable) throw unusable("PLAIN sends the password unencrypted: use SASL_SSL, or SCRAM-SHA-512");
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.problems];
  }
}

/** Warns if messages travel over the network unencrypted. */
function kafkaWarnings({
  KAFKA_BROKERS: brokers = [],
  KAFKA_PROPERTIES_FILE: path,
}: Partial<ExecutionConfig>): string[] {
  if (brokers.every(isOnThisMachine) || readKafkaProperties(path).tls) return [];
  return [
    `Messages travel to the brokers unencrypted. Set security.protocol=SSL or SASL_SSL in ${propertiesVariable}.`,
  ];
}

const isOnThisMachine = (broker: string): boolean => isLoopback(new URL(`kafka://${broker}`).hostname);

/** Reads the variables and checks them against each other. Throws a `ConfigError` with every problem. */
export function loadExecutionConfig(env: Environment): LoadedExecutionConfig {
  const { values, files, ...loaded } = loadConfig(executionConfig, env, checkTogether);
  const checks = [databaseWarnings, kafkaWarnings, modelWarnings];
  return { values, files, warnings: [...loaded.warnings, ...checks.flatMap((check) => check(values))] };
}

/** Callers must authenticate, and secrets must travel over TLS. Variables that could not be read are absent. */
function checkTogether(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const checks = [zoneProblems, checkCallers, askProblems, kafkaProblems, modelProblems];
  const addresses = ["VERIFICATION_URL", "EXECUTION_PUBLIC_URL", "CONSOLE_URL"] as const;
  return [
    ...checks.flatMap((check) => check(config)),
    ...brokenRules(addresses.map((name) => encryptedRule(name, config[name]))),
  ];
}

/** Checks the variables about the language model against each other. Variables that could not be read are absent. */
function modelProblems(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const choice = chooseModel(config);
  if (isModelProblem(choice)) return [choice];
  const isBedrock = choice?.provider === "bedrock";
  const wrong = "is not set, but MODEL=bedrock/… requires it";
  return brokenRules([[isBedrock && config.AWS_REGION === undefined, "AWS_REGION", wrong]]);
}

/** Returns whether a language model is connected; undefined if this process does not ask one, so that it can't know. */
export const hasModel = (config: ExecutionConfig): boolean | undefined =>
  config.EXECUTION_ROLES.includes("rpc") ? chooseModel(config) !== undefined : undefined;

/** Warns of addresses to which questions and keys travel unencrypted. */
function modelWarnings(config: Partial<ExecutionConfig>): string[] {
  const unsafe = "is http: on another machine. Questions, files and the key travel there unencrypted. Use https:.";
  const addresses = ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"] as const;
  return addresses.filter((name) => isReadableOnTheWay(config[name])).map((name) => `${name} ${unsafe}`);
}
