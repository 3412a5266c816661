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
import { auditConstants, auditVariables } from "@crosszone/audit";
import { agentVariables } from "./agent-variables.ts";
import { askProblems, askVariables } from "./ask-variables.ts";
import { callerVariables } from "./caller-variables.ts";
import { checkCallers } from "./check-callers.ts";
import { executionConstants } from "./constants.ts";
import { kafkaProblems, kafkaWarnings } from "./kafka-properties.ts";
import { kafkaVariables, processVariables, taskVariables } from "./process-variables.ts";
import { mcpVariables, modelVariables } from "./model-variables.ts";
import { chooseModel, isModelProblem } from "@crosszone/assistant";
import { assistantFileProblems } from "../agents/assistant/settings/read-assistant-file.ts";

/** Every variable and constant that the execution zone reads, in the order of the reference. */
export const executionConfig = defineConfig({
  ...modelVariables,
  ...callerVariables,
  ...askVariables,
  ...processVariables,
  ...zoneVariables,
  ...auditVariables,
  ...agentVariables,
  ...mcpVariables,
  ...taskVariables,
  ...kafkaVariables,
  ...executionConstants,
  ...auditConstants,
});

/** The values of the variables and constants. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** The values with the files of secrets and warnings. */
export type LoadedExecutionConfig = LoadedConfig<typeof executionConfig>;

/** Reads the variables and checks them against each other. Throws a `ConfigError` with every problem. */
export function loadExecutionConfig(env: Environment): LoadedExecutionConfig {
  const { values, files, ...loaded } = loadConfig(executionConfig, env, checkTogether);
  const checks = [databaseWarnings, kafkaWarnings, modelWarnings, mcpWarnings];
  return { values, files, warnings: [...loaded.warnings, ...checks.flatMap((check) => check(values))] };
}

/** Callers must authenticate, and secrets must travel over TLS. Variables that could not be read are absent. */
function checkTogether(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const checks = [zoneProblems, checkCallers, askProblems, kafkaProblems, modelProblems];
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

type ModelConfig = ConfigValues<typeof modelVariables>;

/** Checks the variables about the language model against each other. Variables that could not be read are absent. */
function modelProblems(config: Partial<ModelConfig>): ConfigProblem[] {
  const choice = chooseModel(config);
  if (isModelProblem(choice)) return [choice];
  const { AWS_REGION: region, ASSISTANT_FILE: file } = config;
  const isBedrock = choice?.provider === "bedrock";
  const isUnused = choice === undefined && file !== undefined;
  return [
    ...brokenRules([
      [isBedrock && region === undefined, "AWS_REGION", "is not set, but MODEL=bedrock/… requires it"],
      [isUnused, "ASSISTANT_FILE", "is set, but no language model is connected. Set MODEL or a key"],
    ]),
    ...(isUnused ? [] : assistantFileProblems(config)),
  ];
}

/** Warns of addresses to which questions and keys travel unencrypted. */
function modelWarnings(config: Partial<ModelConfig>): string[] {
  return (["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"] as const).flatMap((name) => {
    const value = config[name];
    return value !== undefined && isReadableOnTheWay(value)
      ? [`${name} is http: on another machine. Questions, files and the key travel there unencrypted. Use https:.`]
      : [];
  });
}

type McpConfig = ConfigValues<typeof mcpVariables>;

/** Warns of servers that no model can use. */
function mcpWarnings(config: McpConfig & ModelConfig): string[] {
  const isUnused = config.MCP_FILE !== undefined && chooseModel(config) === undefined;
  return isUnused ? ["MCP_FILE is set, but no language model is connected. Set MODEL or a key."] : [];
}
