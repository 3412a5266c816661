import { filePath, groupOf, list, matching, nonEmpty, oneOf, secret, variable, yesOrNo } from "@crosszone/service-kit";
import { executionConstants } from "./constants.ts";

const broker = matching(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, "host:port");
const topicPrefix = matching(/^[\w.-]{0,200}$/, "letters, digits, dots, dashes and underscores");

/** How to reach Kafka, and its topics. */
export const kafkaVariables = groupOf("Kafka", {
  KAFKA_BROKERS: variable(list(broker).optional(), { example: "kafka-1.example.com:9093,kafka-2.example.com:9093" })`
    Kafka brokers as host:port. Without them, messages stay in the database.`,
  KAFKA_TLS: variable(yesOrNo(), { default: "false" })`Whether to connect to the brokers over TLS.`,
  KAFKA_CA_FILE: variable(filePath().optional(), { example: "/etc/crosszone/kafka-ca.crt" })`
    PEM file of the authority that signed the brokers' certificates. It replaces the public authorities.`,
  KAFKA_CERT_FILE: variable(filePath().optional(), { example: "/etc/crosszone/kafka.crt" })`
    PEM file of a client certificate, for brokers that require one.`,
  KAFKA_KEY_FILE: variable(filePath().optional(), { example: "/etc/crosszone/kafka.key" })`
    PEM file of the private key of KAFKA_CERT_FILE.`,
  KAFKA_SASL: variable(oneOf(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]).optional())`
    SASL mechanism. PLAIN requires KAFKA_TLS=true.`,
  KAFKA_USERNAME: variable(nonEmpty("a name").optional())`User name for KAFKA_SASL.`,
  KAFKA_PASSWORD: variable(secret(1).optional(), { secret: true })`Password of KAFKA_USERNAME.`,
  KAFKA_TOPIC_PREFIX: variable(topicPrefix, { default: "" })`
    Text before the name of each topic, so that several installations can share a cluster.`,
  KAFKA_CREATE_TOPICS: variable(yesOrNo(), { default: "false" })`
    Whether execution creates missing topics at start. Otherwise it refuses to start without them.`,
});

/** The variables and constants of the gateway to Kafka, with the largest agent response that it carries. */
export const gatewayVariables = {
  ...kafkaVariables,
  MAX_AGENT_RESPONSE: executionConstants.MAX_AGENT_RESPONSE,
  KAFKA_CLIENT_ID: executionConstants.KAFKA_CLIENT_ID,
  KAFKA_PARTITIONS: executionConstants.KAFKA_PARTITIONS,
};
