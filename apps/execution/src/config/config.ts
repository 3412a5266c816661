import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  databaseWarnings,
  defineConfig,
  type Environment,
  isReadableOnTheWay,
  loadConfig,
  type LoadedConfig,
  zoneProblems,
  zoneVariables,
} from "@crosszone/service-kit";
import { agentVariables } from "./agent-variables.ts";
import { callerVariables } from "./caller-variables.ts";
import { checkCallers } from "./check-callers.ts";
import { mcpProblems, mcpWarnings, modelProblems, modelWarnings } from "./check-models.ts";
import { executionConstants } from "./constants.ts";
import { kafkaProblems, kafkaWarnings } from "./kafka-properties.ts";
import { kafkaVariables, processVariables, taskVariables } from "./process-variables.ts";
import { mcpVariables, modelVariables } from "./model-variables.ts";

/** Every variable and constant that the execution zone reads, in the order of the reference. */
export const executionConfig = defineConfig({
  ...modelVariables,
  ...callerVariables,
  ...processVariables,
  ...zoneVariables,
  ...agentVariables,
  ...mcpVariables,
  ...taskVariables,
  ...kafkaVariables,
  ...executionConstants,
});

/** The values of the variables and constants. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** Reads the variables and checks them against each other. Throws a `ConfigError` with every problem. */
export function loadExecutionConfig(env: Environment): LoadedConfig<typeof executionConfig> {
  const { values, files, ...loaded } = loadConfig(executionConfig, env, checkTogether);
  const checks = [databaseWarnings, kafkaWarnings, modelWarnings, mcpWarnings];
  return { values, files, warnings: [...loaded.warnings, ...checks.flatMap((check) => check(values))] };
}

/** Callers must authenticate, and secrets must travel over TLS. Variables that could not be read are absent. */
function checkTogether(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const checks = [zoneProblems, checkCallers, kafkaProblems, modelProblems, mcpProblems];
  const addresses = ["VERIFICATION_URL", "EXECUTION_PUBLIC_URL"] as const;
  const isUnsafe = (url: string | undefined): boolean => url !== undefined && isReadableOnTheWay(url);
  return [
    ...checks.flatMap((check) => check(config)),
    ...brokenRules(
      addresses.map((name) => [
        isUnsafe(config[name]),
        name,
        "uses http: to another machine",
        "https:, or a host on this machine",
      ]),
    ),
  ];
}
