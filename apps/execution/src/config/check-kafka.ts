import { isLoopback, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import type { kafkaVariables } from "./kafka-variables.ts";

type KafkaConfig = ConfigValues<typeof kafkaVariables>;

/** Checks the variables about Kafka against each other. Variables that could not be read are absent. */
export function checkKafka(config: Partial<KafkaConfig>): ConfigProblem[] {
  const { KAFKA_BROKERS: brokers, KAFKA_SASL: sasl, KAFKA_TLS: tls } = config;
  const problems: ConfigProblem[] = [];
  if (brokers === undefined) return problems;
  if (brokers.length === 0) problems.push({ name: "KAFKA_BROKERS", wrong: "lists no broker" });
  if (sasl !== undefined)
    for (const name of ["KAFKA_USERNAME", "KAFKA_PASSWORD"] as const)
      if (config[name] === undefined) problems.push({ name, wrong: `is not set, but KAFKA_SASL=${sasl} requires it` });
  if (sasl === "PLAIN" && tls === false && !brokers.every(isOnThisMachine))
    problems.push({
      name: "KAFKA_SASL",
      wrong: "is PLAIN, which sends the password unencrypted",
      expected: "KAFKA_TLS=true, or SCRAM-SHA-512",
    });
  for (const name of ["KAFKA_CA_FILE", "KAFKA_CERT_FILE"] as const)
    if (tls === false && config[name] !== undefined) problems.push({ name, wrong: "is set, but KAFKA_TLS is false" });
  if ((config.KAFKA_CERT_FILE === undefined) !== (config.KAFKA_KEY_FILE === undefined))
    problems.push({ name: "KAFKA_KEY_FILE", wrong: "and KAFKA_CERT_FILE require each other: set both or neither" });
  const topics = topicVariables.map((name) => config[name]).filter((topic) => topic !== undefined);
  if (new Set(topics).size < topics.length)
    problems.push({
      name: "KAFKA_TOPIC_AGENT_TASKS",
      wrong: "is also the topic of another channel: each channel requires its own topic",
    });
  return problems;
}

const topicVariables = [
  "KAFKA_TOPIC_AGENT_TASKS",
  "KAFKA_TOPIC_AGENT_RESULTS",
  "KAFKA_TOPIC_AGENT_CANCELLATIONS",
] as const;

/** Warns if messages travel over the network unencrypted. */
export function kafkaWarnings({ KAFKA_BROKERS: brokers = [], KAFKA_TLS: tls }: KafkaConfig): readonly string[] {
  if (tls || brokers.every(isOnThisMachine)) return [];
  return ["KAFKA_TLS is false: messages travel to the brokers unencrypted. Set it to true."];
}

const isOnThisMachine = (broker: string): boolean => isLoopback(new URL(`kafka://${broker}`).hostname);
