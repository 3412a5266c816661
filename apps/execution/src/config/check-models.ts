import { chooseModel, isModelProblem } from "@crosszone/assistant";
import { brokenRules, type ConfigProblem, type ConfigValues, isReadableOnTheWay } from "@crosszone/service-kit";
import { assistantFileProblems } from "../agents/assistant/settings/read-assistant-file.ts";
import type { mcpVariables, modelVariables } from "./model-variables.ts";

export type ModelConfig = ConfigValues<typeof modelVariables>;

/** Checks the variables about the language model against each other. Variables that could not be read are absent. */
export function modelProblems(config: Partial<ModelConfig>): ConfigProblem[] {
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
export function modelWarnings(config: Partial<ModelConfig>): string[] {
  return (["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"] as const).flatMap((name) => {
    const value = config[name];
    return value !== undefined && isReadableOnTheWay(value)
      ? [`${name} is http: on another machine. Questions, files and the key travel there unencrypted. Use https:.`]
      : [];
  });
}

export type McpConfig = ConfigValues<typeof mcpVariables>;

/** Checks the names of MCP servers. A variable that could not be read is absent. */
export function mcpProblems({ MCP_SERVERS: servers = [] }: Partial<McpConfig>): ConfigProblem[] {
  const isTwice = new Set(servers.map(({ name }) => name)).size < servers.length;
  return brokenRules([[isTwice, "MCP_SERVERS", "lists a server twice", "each name once"]]);
}

/** Warns of servers that no model can use, and of servers whose calls and tokens travel unencrypted. */
export function mcpWarnings(config: McpConfig & ModelConfig): string[] {
  const { MCP_SERVERS: servers } = config;
  const clear = servers.filter(({ url }) => isReadableOnTheWay(url)).map(({ name }) => name);
  const unused = servers.length > 0 && chooseModel(config) === undefined;
  return [
    ...(unused ? ["MCP_SERVERS is set, but no language model is connected. Set MODEL or a key."] : []),
    ...(clear.length > 0
      ? [
          `MCP_SERVERS: ${clear.join(", ")} is http: on another machine. Calls and the token travel there unencrypted. Use https:.`,
        ]
      : []),
  ];
}
