import { defineConfig, isLoopback, loadConfig } from "@crosszone/service-kit";
import type { ConfigValues, Environment, LoadedConfig } from "@crosszone/service-kit";
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
  ...loggingVariables,
});

/** What the variables say once they are read. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** Reads the variables, and checks what they mean together: off loopback, callers must prove who they are. */
export function loadExecutionConfig(env: Environment): LoadedConfig<typeof executionConfig> {
  return loadConfig(executionConfig, env, ({ EXECUTION_HOST: host = "127.0.0.1", EXECUTION_TOKEN: tokens = [] }) => {
    if (tokens.length > 0 || isLoopback(host)) return [];
    const wrong = `is not set, while EXECUTION_HOST is ${host}, which others can reach`;
    return [{ name: "EXECUTION_TOKEN", wrong, expected: "at least 32 characters, the same as in verification" }];
  });
}
