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
  wholeNumber,
  type Environment,
  type LoadedConfig,
} from "@crosszone/service-kit";
import { z } from "zod";

/** Every variable that the execution zone reads. */
export const executionConfig = defineConfig({
  EXECUTION_HOST: {
    schema: z.string().describe("a host name or address"),
    default: "127.0.0.1",
    description: "Address to listen on. Off loopback, EXECUTION_TOKEN is required.",
    group: "Listening",
  },
  EXECUTION_PORT: { schema: port(), default: "4000", description: "Port to listen on.", group: "Listening" },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Bearer token that verification must send; several with commas while one is being replaced.",
    group: "Security",
  },
  MAX_BODY: {
    schema: byteSize({ min: 1024 }),
    default: "1MB",
    description: "Largest request body.",
    group: "Limits",
  },
  MAX_RUNNING_TASKS: {
    schema: wholeNumber({ min: 1 }),
    default: "100",
    description: "Tasks that run at the same time; more are refused as rate_limited.",
    group: "Limits",
  },
  SYNC_WINDOW_MS: {
    schema: durationMs({ max: 60_000 }),
    default: "5000",
    description: "How long execute_task waits for the answer before it says accepted.",
    group: "Tasks",
  },
  MAX_WAIT_MS: {
    schema: durationMs({ max: 60_000 }),
    default: "25000",
    description: "Longest time that get_async_task_result holds its answer back.",
    group: "Tasks",
  },
  TASK_DEADLINE_MS: {
    schema: durationMs({ min: 1 }),
    default: "600000",
    description: "How long a task may take before it is timed out.",
    group: "Tasks",
  },
  TASK_RETENTION_MS: {
    schema: durationMs({ min: 1 }),
    default: "3600000",
    description: "How long a finished task can still be asked for.",
    group: "Tasks",
  },
  STOP_GRACE_MS: {
    schema: durationMs(),
    default: "10000",
    description: "How long running tasks may go on after the process was told to stop.",
    group: "Tasks",
  },
  LOG_LEVEL: {
    schema: logLevel(),
    default: "info",
    description: "Least severe log lines to write.",
    group: "Logging",
  },
});

/** Reads the variables, and checks what they mean together: off loopback, callers must prove who they are. */
export function loadExecutionConfig(env: Environment): LoadedConfig<typeof executionConfig> {
  return loadConfig(executionConfig, env, ({ EXECUTION_HOST: host = "127.0.0.1", EXECUTION_TOKEN: tokens = [] }) => {
    if (tokens.length > 0 || isLoopback(host)) return [];
    const wrong = `is not set, while EXECUTION_HOST is ${host}, which others can reach`;
    return [{ name: "EXECUTION_TOKEN", wrong, expected: "at least 32 characters, the same as in verification" }];
  });
}
