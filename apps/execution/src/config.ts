import { defineConfig, isLoopback, isReadableOnTheWay, loadConfig } from "@crosszone/service-kit";
import type { ConfigProblem, ConfigValues, Environment, LoadedConfig } from "@crosszone/service-kit";
import { fileVariables } from "./config/file-variables.ts";
import { limitVariables } from "./config/limit-variables.ts";
import { listeningVariables } from "./config/listening-variables.ts";
import { loggingVariables } from "./config/logging-variables.ts";
import { securityVariables } from "./config/security-variables.ts";
import { taskVariables } from "./config/task-variables.ts";

/** Every variable that the execution zone reads. */
export const executionConfig = defineConfig({
  ...listeningVariables,
  ...securityVariables,
  ...limitVariables,
  ...taskVariables,
  ...fileVariables,
  ...loggingVariables,
});

/** What the variables say once they are read. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadExecutionConfig(env: Environment): LoadedConfig<typeof executionConfig> {
  return loadConfig(executionConfig, env, problemsBetween);
}

/** Off loopback, callers must prove who they are, and handles go over TLS. */
function problemsBetween({
  EXECUTION_HOST: host = "127.0.0.1",
  EXECUTION_TOKEN: tokens = [],
  VERIFICATION_URL: verification,
}: Partial<ExecutionConfig>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (tokens.length === 0 && !isLoopback(host)) {
    const wrong = `is not set, while EXECUTION_HOST is ${host}, which others can reach`;
    problems.push({ name: "EXECUTION_TOKEN", wrong, expected: "at least 32 characters, the same as in verification" });
  }
  if (verification !== undefined && isReadableOnTheWay(verification))
    problems.push({ name: "VERIFICATION_URL", wrong: "is not safe", expected: "https:, or a host on this machine" });
  return problems;
}
