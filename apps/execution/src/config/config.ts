import {
  connectionVariables,
  databaseVariables,
  databaseWarnings,
  dataKeysProblems,
  dataKeysVariables,
  defineConfig,
  isReadableOnTheWay,
  loadConfig,
} from "@crosszone/service-kit";
import type { ConfigProblem, ConfigValues, Environment, LoadedConfig } from "@crosszone/service-kit";
import { tracingProblems } from "@crosszone/service-kit/tracing";
import { agentVariables } from "./agent-variables.ts";
import { bridgeVariables } from "./bridge-variables.ts";
import { checkKafka, kafkaWarnings } from "./check-kafka.ts";
import { checkSecurity } from "./check-security.ts";
import { executionConstants } from "./constants.ts";
import { fileVariables } from "./file-variables.ts";
import { kafkaVariables } from "./kafka-variables.ts";
import { modelProblems, modelWarnings } from "./check-model.ts";
import { limitVariables } from "./limit-variables.ts";
import { listeningVariables } from "./listening-variables.ts";
import { loggingVariables } from "./logging-variables.ts";
import { mcpProblems, mcpWarnings } from "./check-mcp.ts";
import { mcpVariables } from "./mcp-variables.ts";
import { modelVariables } from "./model-variables.ts";
import { roleVariables } from "./role-variables.ts";
import { securityVariables } from "./security-variables.ts";
import { taskVariables } from "./task-variables.ts";
import { tlsVariables } from "./tls-variables.ts";
import { tracingVariables } from "./tracing-variables.ts";
import { workflowVariables } from "./workflow-variables.ts";

/** Every variable and constant that the execution zone reads. */
export const executionConfig = defineConfig({
  ...roleVariables,
  ...listeningVariables,
  ...securityVariables,
  ...tlsVariables,
  ...connectionVariables,
  ...databaseVariables,
  ...dataKeysVariables,
  ...limitVariables,
  ...agentVariables,
  ...modelVariables,
  ...mcpVariables,
  ...bridgeVariables,
  ...workflowVariables,
  ...kafkaVariables,
  ...taskVariables,
  ...fileVariables,
  ...loggingVariables,
  ...tracingVariables,
  ...executionConstants,
});

/** What the variables say once they are read. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadExecutionConfig(env: Environment): LoadedConfig<typeof executionConfig> {
  const loaded = loadConfig(executionConfig, env, problemsBetween);
  return {
    ...loaded,
    warnings: [
      ...loaded.warnings,
      ...databaseWarnings(loaded.values),
      ...kafkaWarnings(loaded.values),
      ...modelWarnings(loaded.values),
      ...mcpWarnings(loaded.values),
    ],
  };
}

/** Callers must authenticate, and secrets must travel over TLS. Variables that could not be read are absent. */
function problemsBetween(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const problems = [
    ...dataKeysProblems(config),
    ...checkSecurity(config),
    ...checkKafka(config),
    ...modelProblems(config),
    ...mcpProblems(config),
    ...tracingProblems(config),
  ];
  for (const name of ["VERIFICATION_URL", "AGENT_FILES_URL", "EXECUTION_PUBLIC_URL"] as const)
    if (config[name] !== undefined && isReadableOnTheWay(config[name]))
      problems.push({ name, wrong: "uses http: to another machine", expected: "https:, or a host on this machine" });
  return problems;
}
