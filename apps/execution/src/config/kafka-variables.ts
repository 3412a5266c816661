import { channels, type Channels } from "@crosszone/contracts";
import { defineConfig, list, secret, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";
import { agentVariables } from "./agent-variables.ts";
import { executionConstants } from "./constants.ts";
import { groupOf } from "./group-of.ts";

const text = (what: string) => z.string().min(1).describe(what);
const topic = (channel: keyof Channels, what: string) =>
  ({
    schema: z
      .string()
      .regex(/^[\w.-]{1,236}$/)
      .describe("letters, digits, dots, dashes and underscores"),
    default: channels[channel].topic,
    description: `Topic for ${what}. Its dead letters go to the topic with the suffix .dead-letters.`,
  }) as const;

/** How to reach Kafka, and its topics. */
export const kafkaVariables = defineConfig({
  ...groupOf("Kafka", {
    KAFKA_BROKERS: {
      schema: list(
        z
          .string()
          .regex(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i)
          .describe("host:port"),
      ).optional(),
      description: "Kafka brokers as host:port. Without them, messages stay in the database.",
      example: "kafka-1.example.com:9093,kafka-2.example.com:9093",
    },
    KAFKA_TLS: {
      schema: yesOrNo(),
      default: "false",
      description: "Whether to connect to the brokers over TLS.",
    },
    KAFKA_CA_FILE: {
      schema: text("the path of a file").optional(),
      description:
        "PEM file of the authority that signed the brokers' certificates. It replaces the public authorities.",
      example: "/etc/crosszone/kafka-ca.crt",
    },
    KAFKA_CERT_FILE: {
      schema: text("the path of a file").optional(),
      description: "PEM file of a client certificate, for brokers that require one.",
      example: "/etc/crosszone/kafka.crt",
    },
    KAFKA_KEY_FILE: {
      schema: text("the path of a file").optional(),
      description: "PEM file of the private key of KAFKA_CERT_FILE.",
      example: "/etc/crosszone/kafka.key",
    },
    KAFKA_SASL: {
      schema: z
        .enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
        .describe("PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
        .optional(),
      description: "SASL mechanism. PLAIN requires KAFKA_TLS=true.",
    },
    KAFKA_USERNAME: { schema: text("a name").optional(), description: "User name for KAFKA_SASL." },
    KAFKA_PASSWORD: {
      schema: secret(1).optional(),
      secret: true,
      description: "Password of KAFKA_USERNAME.",
    },
    KAFKA_TOPIC_AGENT_TASKS: topic("agent_tasks", "agent tasks"),
    KAFKA_TOPIC_AGENT_RESULTS: topic("agent_results", "agent results"),
    KAFKA_TOPIC_AGENT_CANCELLATIONS: topic("agent_cancellations", "cancellations of agent tasks"),
    KAFKA_CREATE_TOPICS: {
      schema: yesOrNo(),
      default: "false",
      description: "Whether execution creates missing topics at start. Otherwise it refuses to start without them.",
    },
    KAFKA_PARTITIONS: {
      schema: wholeNumber({ min: 1, max: 10_000 }),
      default: "12",
      description:
        "Partitions of created topics; the maximum number of processes that can consume one topic in parallel.",
    },
    KAFKA_REPLICAS: {
      schema: wholeNumber({ min: 1, max: 100 }),
      default: "1",
      description: "Replicas of created topics. Use 3 on a cluster with three or more brokers.",
    },
  }),
});

/** The variables and constants of the gateway to Kafka, with the largest agent response that it carries. */
export const gatewayVariables = defineConfig({
  ...kafkaVariables,
  MAX_AGENT_RESPONSE: agentVariables.MAX_AGENT_RESPONSE,
  KAFKA_CLIENT_ID: executionConstants.KAFKA_CLIENT_ID,
});
