import {
  type ConfigProblem,
  type ConfigValues,
  connectionVariables,
  databaseVariables,
  databaseWarnings,
  dataKeysProblems,
  dataKeysVariables,
  defineConfig,
  type Environment,
  isReadableOnTheWay,
  loadConfig,
  type LoadedConfig,
} from "@crosszone/service-kit";
import { tracingProblems } from "@crosszone/service-kit/tracing";
import { agentVariables } from "./agent-variables.ts";
import { callerVariables } from "./caller-variables.ts";
import { checkCallers } from "./check-callers.ts";
import { checkKafka, kafkaWarnings } from "./check-kafka.ts";
import { mcpProblems, mcpWarnings, modelProblems, modelWarnings } from "./check-models.ts";
import { executionConstants } from "./constants.ts";
import { kafkaVariables } from "./kafka-variables.ts";
import { mcpVariables } from "./mcp-variables.ts";
import { modelVariables } from "./model-variables.ts";
import { processVariables, tracingVariables } from "./process-variables.ts";
import { taskVariables, workflowVariables } from "./task-variables.ts";

/** Every variable and constant that the execution zone reads. */
export const executionConfig = defineConfig({
  ...processVariables,
  ...callerVariables,
  ...connectionVariables,
  ...databaseVariables,
  ...dataKeysVariables,
  ...agentVariables,
  ...modelVariables,
  ...mcpVariables,
  ...workflowVariables,
  ...kafkaVariables,
  ...taskVariables,
  ...tracingVariables,
  ...executionConstants,
});

/** The values of the variables and constants. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** Reads the variables and checks them against each other. Throws a `ConfigError` with every problem. */
export function loadExecutionConfig(env: Environment): LoadedConfig<typeof executionConfig> {
  const loaded = loadConfig(executionConfig, env, checkTogether);
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
function checkTogether(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const problems = [
    ...dataKeysProblems(config),
    ...checkCallers(config),
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
