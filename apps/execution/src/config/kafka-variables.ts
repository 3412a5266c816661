import { channels, type Channels } from "@crosszone/contracts";
import { defineConfig, list, secret, yesOrNo, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";

const group = "Kafka";
const text = (what: string) => z.string().min(1).describe(what);
const topic = (channel: keyof Channels, what: string) =>
  ({
    schema: z
      .string()
      .regex(/^[\w.-]{1,236}$/)
      .describe("letters, digits, dots, dashes and underscores"),
    default: channels[channel].topic,
    description: `Topic for ${what}. Its dead letters go to the topic with the suffix .dead-letters.`,
    group,
  }) as const;

/** How to reach Kafka, and its topics. */
export const kafkaVariables = defineConfig({
  KAFKA_BROKERS: {
    schema: list(
      z
        .string()
        .regex(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i)
        .describe("host:port"),
    ).optional(),
    description: "Kafka brokers as host:port. Without them, messages stay in the database.",
    example: "kafka-1.example.com:9093,kafka-2.example.com:9093",
    group,
  },
  KAFKA_CLIENT_ID: {
    schema: text("a name"),
    default: "crosszone-execution",
    description: "Name of this zone in Kafka logs and quotas.",
    group,
  },
  KAFKA_TLS: {
    schema: yesOrNo(),
    default: "false",
    description: "Whether to connect to the brokers over TLS.",
    group,
  },
  KAFKA_CA_FILE: {
    schema: text("the path of a file").optional(),
    description: "PEM file of the authority that signed the brokers' certificates. It replaces the public authorities.",
    example: "/etc/crosszone/kafka-ca.crt",
    group,
  },
  KAFKA_CERT_FILE: {
    schema: text("the path of a file").optional(),
    description: "PEM file of a client certificate, for brokers that require one.",
    example: "/etc/crosszone/kafka.crt",
    group,
  },
  KAFKA_KEY_FILE: {
    schema: text("the path of a file").optional(),
    description: "PEM file of the private key of KAFKA_CERT_FILE.",
    example: "/etc/crosszone/kafka.key",
    group,
  },
  KAFKA_SASL: {
    schema: z
      .enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
      .describe("PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
      .optional(),
    description: "SASL mechanism. PLAIN requires KAFKA_TLS=true.",
    group,
  },
  KAFKA_USERNAME: { schema: text("a name").optional(), description: "User name for KAFKA_SASL.", group },
  KAFKA_PASSWORD: {
    schema: secret(1).optional(),
    secret: true,
    description: "Password of KAFKA_USERNAME.",
    group,
  },
  KAFKA_TOPIC_AGENT_TASKS: topic("agent_tasks", "agent tasks"),
  KAFKA_TOPIC_AGENT_RESULTS: topic("agent_results", "agent results"),
  KAFKA_TOPIC_AGENT_CANCELLATIONS: topic("agent_cancellations", "cancellations of agent tasks"),
  KAFKA_CREATE_TOPICS: {
    schema: yesOrNo(),
    default: "false",
    description: "Whether execution creates missing topics at start. Otherwise it refuses to start without them.",
    group,
  },
  KAFKA_PARTITIONS: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "12",
    description:
      "Partitions of created topics; the maximum number of processes that can consume one topic in parallel.",
    group,
  },
  KAFKA_REPLICAS: {
    schema: wholeNumber({ min: 1, max: 100 }),
    default: "1",
    description: "Replicas of created topics. Use 3 on a cluster with three or more brokers.",
    group,
  },
});
