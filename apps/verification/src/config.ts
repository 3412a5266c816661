import {
  byteSize,
  defineConfig,
  durationMs,
  isLoopback,
  list,
  loadConfig,
  logLevel,
  port,
  secret,
  url,
  wholeNumber,
} from "@crosszone/service-kit";
import type { ConfigEntry, ConfigProblem, Environment, LoadedConfig, LogLevel } from "@crosszone/service-kit";
import { z } from "zod";
import { isReadableOnTheWay } from "./transport/is-readable-on-the-way.ts";

/** What the variables say once they are read. */
export interface VerificationConfig {
  readonly SLACK_BOT_TOKEN: string;
  readonly SLACK_SIGNING_SECRET: string | undefined;
  readonly SLACK_APP_TOKEN: string | undefined;
  readonly SLACK_APP_ID: string | undefined;
  readonly SLACK_API_URL: string;
  readonly VERIFICATION_HOST: string;
  readonly VERIFICATION_PORT: number;
  readonly MAX_EVENT: number;
  readonly EXECUTION_TRANSPORT: "https";
  readonly EXECUTION_URL: string;
  readonly EXECUTION_TOKEN: readonly string[] | undefined;
  readonly EXECUTION_TIMEOUT_MS: number;
  readonly EXECUTION_RETRY_BUDGET_MS: number;
  readonly POLL_WAIT_MS: number;
  readonly ANSWER_DEADLINE_MS: number;
  readonly DELIVERY_BUDGET_MS: number;
  readonly MAX_QUESTIONS: number;
  readonly STOP_GRACE_MS: number;
  readonly LOG_LEVEL: LogLevel;
}

type Variables = {
  readonly [Name in keyof VerificationConfig]: ConfigEntry<z.ZodType<VerificationConfig[Name], string | undefined>>;
};

/** Every variable that the verification zone reads. */
export const verificationConfig: Variables = defineConfig({
  SLACK_BOT_TOKEN: {
    schema: z
      .string()
      .regex(/^xoxb-\S+$/)
      .describe("a bot token, which starts with xoxb-"),
    secret: true,
    description: "Bot token of the Slack app. It never leaves this zone.",
    group: "Slack",
  },
  SLACK_SIGNING_SECRET: {
    schema: secret(32).optional(),
    secret: true,
    description:
      "Signing secret of the Slack app: proves that a request is from Slack. Required unless SLACK_APP_TOKEN is set.",
    group: "Slack",
  },
  SLACK_APP_TOKEN: {
    schema: z
      .string()
      .regex(/^xapp-\S+$/)
      .describe("an app-level token, which starts with xapp-")
      .optional(),
    secret: true,
    description: "App-level token. When it is set, events come over Socket Mode and not over HTTP.",
    group: "Slack",
  },
  SLACK_APP_ID: {
    schema: z
      .string()
      .regex(/^A[A-Z0-9]+$/, { error: "it is not an app id" })
      .describe("an app id, which starts with A")
      .optional(),
    description: "Id of the Slack app; events of any other app are refused.",
    example: "A0123456789",
    group: "Slack",
  },
  SLACK_API_URL: {
    schema: url(),
    default: "https://slack.com/api/",
    description: "Where Slack's Web API is. Anything else must be on this machine.",
    group: "Slack",
  },
  VERIFICATION_HOST: {
    schema: z.string().describe("a host name or address"),
    default: "127.0.0.1",
    description: "Address to listen on.",
    group: "Listening",
  },
  VERIFICATION_PORT: { schema: port(), default: "3000", description: "Port to listen on.", group: "Listening" },
  MAX_EVENT: {
    schema: byteSize({ min: 1024 }),
    default: "1MB",
    description: "Largest request body from Slack.",
    group: "Listening",
  },
  EXECUTION_TRANSPORT: {
    schema: z.enum(["https"]).describe("https"),
    default: "https",
    description: "How the execution zone is reached.",
    group: "Execution zone",
  },
  EXECUTION_URL: {
    schema: url(),
    default: "http://127.0.0.1:4000/rpc",
    description: "Where the execution zone listens. http: only on this machine.",
    group: "Execution zone",
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer token for the execution zone; of several, the first is sent. Required when that zone is not on this machine.",
    group: "Execution zone",
  },
  EXECUTION_TIMEOUT_MS: {
    schema: durationMs({ min: 1 }),
    default: "30000",
    description: "How long the execution zone may take to answer a call, beside the time that it is asked to wait.",
    group: "Execution zone",
  },
  EXECUTION_RETRY_BUDGET_MS: {
    schema: durationMs(),
    default: "30000",
    description: "How long a call to the execution zone is repeated when that may help.",
    group: "Execution zone",
  },
  POLL_WAIT_MS: {
    schema: durationMs({ max: 60_000 }),
    default: "20000",
    description: "How long the execution zone may hold back its answer while a task still works.",
    group: "Questions",
  },
  ANSWER_DEADLINE_MS: {
    schema: durationMs({ min: 1 }),
    default: "600000",
    description: "How long a person waits for an answer at most; then the task is canceled.",
    group: "Questions",
  },
  DELIVERY_BUDGET_MS: {
    schema: durationMs(),
    default: "300000",
    description: "How long it is tried to bring a message of an answer to Slack.",
    group: "Questions",
  },
  MAX_QUESTIONS: {
    schema: wholeNumber({ min: 1 }),
    default: "100",
    description: "Questions that are worked on at the same time; more wait.",
    group: "Questions",
  },
  STOP_GRACE_MS: {
    schema: durationMs(),
    default: "10000",
    description: "How long running questions may go on after the process was told to stop.",
    group: "Questions",
  },
  LOG_LEVEL: {
    schema: logLevel(),
    default: "info",
    description: "Least severe log lines to write.",
    group: "Logging",
  },
});

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadVerificationConfig(env: Environment): LoadedConfig<Variables> {
  return loadConfig(verificationConfig, env, problemsBetween);
}

/**
 * What no variable can say alone: secrets go to this machine or over TLS only, and one of the two ways in is set up. Variables that
 * could not be read are absent.
 */
function problemsBetween(config: Partial<VerificationConfig>): ConfigProblem[] {
  const { EXECUTION_URL: execution, SLACK_API_URL: slack } = config;
  const problems: ConfigProblem[] = [];
  if (config.SLACK_APP_TOKEN === undefined && config.SLACK_SIGNING_SECRET === undefined)
    problems.push({ name: "SLACK_SIGNING_SECRET", wrong: "is not set, and neither is SLACK_APP_TOKEN" });
  if (execution !== undefined && isReadableOnTheWay(execution))
    problems.push({ name: "EXECUTION_URL", wrong: "is not safe", expected: "https:, or a host on this machine" });
  else if (execution !== undefined && !isLoopback(new URL(execution).hostname) && !config.EXECUTION_TOKEN?.length)
    problems.push({ name: "EXECUTION_TOKEN", wrong: "is not set, and EXECUTION_URL is not on this machine" });
  if (slack !== undefined && !slack.startsWith("https://slack.com/") && !isLoopback(new URL(slack).hostname))
    problems.push({
      name: "SLACK_API_URL",
      wrong: "is not safe",
      expected: "https://slack.com/api/, or a host on this machine",
    });
  return problems;
}
