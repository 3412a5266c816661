import {
  groupOf,
  list,
  oneOf,
  port,
  url,
  variable,
  wholeNumber,
  duration,
  nonEmpty,
  filePath,
  matching,
} from "@crosszone/service-kit";
import { z } from "zod";
import { executionConstants } from "./constants.ts";
import { type HostProfileName, hostProfiles } from "../http/host-profile.ts";

const profileNames = Object.keys(hostProfiles) as HostProfileName[];

export const roles = ["rpc", "bridge", "workflow"] as const;

/** What a process does: `rpc` answers the zone link, `bridge` calls agents over HTTP, `workflow` advances runs. */
export type Role = (typeof roles)[number];

/** Values of OpenTelemetry's own instrumentations; the first two are older spellings. There are no events that could hold content. */
const capture = z
  .enum(["true", "false", "SPAN_ONLY", "NO_CONTENT"])
  .transform((value) => value === "true" || value === "SPAN_ONLY")
  .describe("NO_CONTENT or SPAN_ONLY");

/** The roles of a process, where it listens, how much it accepts, and what its traces hold. */
export const processVariables = {
  ...groupOf("Roles", {
    EXECUTION_ROLES: variable(
      list(oneOf(roles)).refine((named) => named.length > 0, { error: "it names no role" }),
      { default: roles.join(",") },
    )`
      Work of this process. rpc answers verification, bridge calls agents over HTTP, workflow advances workflow runs.
      All processes share one database.`,
  }),
  ...groupOf("Listen", {
    HOST_PROFILE: variable(oneOf(profileNames), { default: "plain" })`
      Platform of this process; it sets address, port and paths. plain: 127.0.0.1:4000. cloud-run: $PORT. agentcore
      and container-apps: 8080. foundry: 8088.`,
    EXECUTION_HOST: variable(z.string().describe("a host name or address").optional())`
      Address to listen on. If unset, HOST_PROFILE decides. Outside this machine, callers must authenticate.`,
    EXECUTION_PORT: variable(port().optional())`Port to listen on. If unset, HOST_PROFILE decides.`,
    PORT: variable(port().optional())`Port that Cloud Run assigns. Only read with HOST_PROFILE=cloud-run.`,
    EXECUTION_PUBLIC_URL: variable(url().optional(), { example: "https://execution.example.com" })`
      URL of this zone for agents and callers. Agents download large files from it; without it, they get a description.
      Without it, the zone's agent card uses the host of the request. Another machine needs https:.`,
  }),
  ...groupOf("Capacity", {
    MAX_RUNNING_TASKS: variable(wholeNumber({ min: 1 }), { default: "100" })`
      Tasks, and agent calls, that one process runs at the same time. Execution refuses more tasks as rate_limited;
      more agent calls wait. The max_concurrency of an agent is a lower limit.`,
    MAX_REQUESTS_PER_MINUTE: variable(wholeNumber(), { default: "6000" })`
      Requests per caller and minute; 0 turns the limit off. Execution refuses more as rate_limited.`,
  }),
  ...groupOf("Logs, metrics and traces", {
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: variable(capture, { default: "NO_CONTENT" })`
      SPAN_ONLY records prompts, answers and tool calls in spans, shortened. Use it only if the collector can store
      private text.`,
  }),
};

/** How long tasks can take and are kept, how execution reads their files, and where workflow definitions are. */
export const taskVariables = {
  ...groupOf("Workflows", {
    WORKFLOWS_DIR: variable(nonEmpty("a folder").optional(), { example: "/etc/crosszone/workflows" })`
      Folder of workflow definitions in JSON or YAML, one per file. Execution reads it at start and adds new versions.`,
  }),
  ...groupOf("Tasks", {
    TASK_DEADLINE: variable(duration({ min: 1 }), { default: "10m" })`
      How long a task can take before it times out.`,
    TASK_RETENTION: variable(duration({ min: 1 }), { default: "1d" })`
      How long execution keeps a finished task with its answer. Keep it longer than any outage of verification.`,
  }),
  ...groupOf("Files", {
    VERIFICATION_URL: variable(url().optional(), { example: "https://crosszone.example.com" })`
      URL of the verification zone, for reading files. Without it, agents get no file contents. Another machine needs
      https:.`,
  }),
};

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
