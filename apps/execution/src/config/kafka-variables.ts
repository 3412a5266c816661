import { filePath, groupOf, list, matching, variable } from "@crosszone/service-kit";
import { executionConstants } from "./constants.ts";

const broker = matching(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, "host:port");
const topicPrefix = matching(/^[\w.-]{0,200}$/, "letters, digits, dots, dashes and underscores");

/** How to reach Kafka, and its topics. */
export const kafkaVariables = groupOf("Kafka", {
  KAFKA_BROKERS: variable(list(broker).optional(), { example: "kafka-1.example.com:9093,kafka-2.example.com:9093" })`
    Kafka brokers as host:port. Without them, messages stay in the database.`,
  KAFKA_PROPERTIES_FILE: variable(filePath().optional(), { example: "/etc/crosszone/kafka.properties" })`
    Properties file of the client: security.protocol, sasl.* and ssl.*. Without it, the connection is unencrypted.`,
  KAFKA_TOPIC_PREFIX: variable(topicPrefix, { default: "" })`
    Text before the name of each topic, so that several installations can share a cluster.`,
});

/** The variables and constants of the gateway to Kafka, with the largest agent response that it carries. */
export const gatewayVariables = {
  ...kafkaVariables,
  MAX_AGENT_RESPONSE: executionConstants.MAX_AGENT_RESPONSE,
  KAFKA_CLIENT_ID: executionConstants.KAFKA_CLIENT_ID,
  KAFKA_PARTITIONS: executionConstants.KAFKA_PARTITIONS,
};
