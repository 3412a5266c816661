import { brokenRules, type ConfigProblem, type ConfigValues, isLoopback } from "@crosszone/service-kit";
import type { kafkaVariables } from "./kafka-variables.ts";

type KafkaConfig = ConfigValues<typeof kafkaVariables>;

/** Checks the variables about Kafka against each other. Variables that could not be read are absent. */
export function checkKafka(config: Partial<KafkaConfig>): ConfigProblem[] {
  const { KAFKA_BROKERS: brokers, KAFKA_SASL: sasl, KAFKA_TLS: tls } = config;
  const { KAFKA_CA_FILE: ca, KAFKA_CERT_FILE: cert, KAFKA_KEY_FILE: key } = config;
  if (brokers === undefined) return [];
  const login = `is not set, but KAFKA_SASL=${sasl} requires it`;
  const isReadable = sasl === "PLAIN" && tls === false && !brokers.every(isOnThisMachine);
  const noTls = "is set, but KAFKA_TLS is false";
  return brokenRules([
    [brokers.length === 0, "KAFKA_BROKERS", "lists no broker"],
    [!!sasl && config.KAFKA_USERNAME === undefined, "KAFKA_USERNAME", login],
    [!!sasl && config.KAFKA_PASSWORD === undefined, "KAFKA_PASSWORD", login],
    [isReadable, "KAFKA_SASL", "is PLAIN, which sends the password unencrypted", "KAFKA_TLS=true, or SCRAM-SHA-512"],
    [tls === false && ca !== undefined, "KAFKA_CA_FILE", noTls],
    [tls === false && cert !== undefined, "KAFKA_CERT_FILE", noTls],
    [!cert !== !key, "KAFKA_KEY_FILE", "and KAFKA_CERT_FILE require each other: set both or neither"],
  ]);
}

/** Warns if messages travel over the network unencrypted. */
export function kafkaWarnings({ KAFKA_BROKERS: brokers = [], KAFKA_TLS: tls }: KafkaConfig): readonly string[] {
  if (tls || brokers.every(isOnThisMachine)) return [];
  return ["KAFKA_TLS is false: messages travel to the brokers unencrypted. Set it to true."];
}

const isOnThisMachine = (broker: string): boolean => isLoopback(new URL(`kafka://${broker}`).hostname);
