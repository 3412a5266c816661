import { byteSize, defineConfig, list, logLevel, port, url, wholeNumber } from "@crosszone/service-kit";
import { defineTracingVariables } from "@crosszone/service-kit/tracing";
import { z } from "zod";
import { type HostProfileName, hostProfiles } from "../http/host-profile.ts";
import { groupOf } from "./group-of.ts";

/** Values of OpenTelemetry's own instrumentations; the first two are older spellings. There are no events that could hold content. */
const captures = ["true", "false", "SPAN_ONLY", "NO_CONTENT"] as const;

/** Where traces go, how many, and what they hold. */
export const tracingVariables = {
  ...defineTracingVariables("crosszone-execution"),
  ...defineConfig({
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
      schema: z
        .enum(captures)
        .transform((capture) => capture === "true" || capture === "SPAN_ONLY")
        .describe("NO_CONTENT or SPAN_ONLY"),
      default: "NO_CONTENT",
      description:
        "SPAN_ONLY records prompts, answers and tool calls in spans, shortened. Use it only if the collector can store private text.",
      group: "Logs and traces",
    },
  }),
};

const profileNames = Object.keys(hostProfiles) as HostProfileName[];

export const roles = ["rpc", "bridge", "workflow"] as const;

/** What a process does: `rpc` answers the zone link, `bridge` calls agents over HTTP, `workflow` advances runs. */
export type Role = (typeof roles)[number];

/** The roles of a process, where it listens, how much it accepts, and what it logs. */
export const processVariables = defineConfig({
  ...groupOf("Roles", {
    EXECUTION_ROLES: {
      schema: list(z.enum(roles).describe("rpc, bridge or workflow")).refine((named) => named.length > 0, {
        error: "it names no role",
      }),
      default: roles.join(","),
      description:
        "Work of this process. rpc answers verification, bridge calls agents over HTTP, workflow advances workflow runs. All processes share one database.",
    },
  }),
  ...groupOf("Listen", {
    HOST_PROFILE: {
      schema: z.enum(profileNames).describe(profileNames.join(", ").replace(/, (\S+)$/, " or $1")),
      default: "plain",
      description:
        "Platform of this process; it sets address, port and paths. plain: 127.0.0.1:4000. cloud-run: $PORT. agentcore and container-apps: 8080. foundry: 8088.",
    },
    EXECUTION_HOST: {
      schema: z.string().describe("a host name or address").optional(),
      description:
        "Address to listen on. If unset, HOST_PROFILE decides. Outside this machine, callers must authenticate.",
    },
    EXECUTION_PORT: {
      schema: port().optional(),
      description: "Port to listen on. If unset, HOST_PROFILE decides.",
    },
    PORT: {
      schema: port().optional(),
      description: "Port that Cloud Run assigns. Only read with HOST_PROFILE=cloud-run.",
    },
    EXECUTION_PUBLIC_URL: {
      schema: url().optional(),
      description:
        "Public URL of this zone in its agent card. If unset, the card uses the host of the request. Another machine needs https:.",
      example: "https://execution.example.com",
    },
  }),
  ...groupOf("Capacity", {
    MAX_BODY: {
      schema: byteSize({ min: 1024 }),
      default: "1MB",
      description: "Largest request body.",
    },
    MAX_RUNNING_TASKS: {
      schema: wholeNumber({ min: 1 }),
      default: "100",
      description: "Tasks that one process runs at the same time. Execution refuses more as rate_limited.",
    },
    MAX_REQUESTS_PER_MINUTE: {
      schema: wholeNumber(),
      default: "6000",
      description: "Requests per caller and minute; 0 turns the limit off. Execution refuses more as rate_limited.",
    },
    MAX_REQUEST_BURST: {
      schema: wholeNumber({ min: 1 }),
      default: "1000",
      description: "Requests of one caller that can arrive at once.",
    },
  }),
  ...groupOf("Logs and traces", {
    LOG_LEVEL: {
      schema: logLevel(),
      default: "info",
      description: "Lowest level of log lines to write.",
    },
  }),
});
