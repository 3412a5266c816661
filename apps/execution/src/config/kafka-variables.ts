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
    description: `Topic of ${what}; its dead letters are in the topic of that name with .dead-letters.`,
    group,
  }) as const;

/** Which Kafka carries tasks and results, and how it is reached. */
export const kafkaVariables = defineConfig({
  KAFKA_BROKERS: {
    schema: list(
      z
        .string()
        .regex(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i)
        .describe("host:port"),
    ).optional(),
    description: "Brokers of Kafka, with commas. Without it the bus is in the database of this zone.",
    example: "kafka-1.example.com:9093,kafka-2.example.com:9093",
    group,
  },
  KAFKA_CLIENT_ID: {
    schema: text("a name"),
    default: "crosszone-execution",
    description: "Name of this zone in Kafka's logs and quotas.",
    group,
  },
  KAFKA_TLS: {
    schema: yesOrNo(),
    default: "false",
    description: "Whether brokers are reached over TLS.",
    group,
  },
  KAFKA_CA_FILE: {
    schema: text("the path of a file").optional(),
    description: "Authority of the brokers' certificates, PEM, in the place of those that Node trusts.",
    example: "/etc/crosszone/kafka-ca.crt",
    group,
  },
  KAFKA_CERT_FILE: {
    schema: text("the path of a file").optional(),
    description: "Certificate of this zone for brokers that ask for one, PEM.",
    example: "/etc/crosszone/kafka.crt",
    group,
  },
  KAFKA_KEY_FILE: {
    schema: text("the path of a file").optional(),
    description: "Private key of KAFKA_CERT_FILE, PEM.",
    example: "/etc/crosszone/kafka.key",
    group,
  },
  KAFKA_SASL: {
    schema: z
      .enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
      .describe("PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
      .optional(),
    description: "How the zone proves to brokers who it is. PLAIN only with KAFKA_TLS=true.",
    group,
  },
  KAFKA_USERNAME: { schema: text("a name").optional(), description: "User for KAFKA_SASL.", group },
  KAFKA_PASSWORD: {
    schema: secret(1).optional(),
    secret: true,
    description: "Password of KAFKA_USERNAME.",
    group,
  },
  KAFKA_TOPIC_AGENT_TASKS: topic("agent_tasks", "tasks for agents"),
  KAFKA_TOPIC_AGENT_RESULTS: topic("agent_results", "their results"),
  KAFKA_TOPIC_AGENT_CANCELLATIONS: topic("agent_cancellations", "what cancels tasks"),
  KAFKA_CREATE_TOPICS: {
    schema: yesOrNo(),
    default: "false",
    description: "Whether topics that are missing are made at the start, instead of being told of.",
    group,
  },
  KAFKA_PARTITIONS: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "12",
    description: "Partitions of topics that are made: at the most so many processes share the messages of one.",
    group,
  },
  KAFKA_REPLICAS: {
    schema: wholeNumber({ min: 1, max: 100 }),
    default: "1",
    description: "Brokers that keep each message of topics that are made; 3 where there are as many.",
    group,
  },
});
