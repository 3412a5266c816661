import { chooseModel, isModelProblem } from "@crosszone/assistant";
import { isReadableOnTheWay, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import { assistantFileProblems } from "../agents/assistant/settings/read-assistant-file.ts";
import type { mcpVariables } from "./mcp-variables.ts";
import type { modelVariables } from "./model-variables.ts";

export type ModelConfig = ConfigValues<typeof modelVariables>;

/** Checks the variables about the language model against each other. Variables that could not be read are absent. */
export function modelProblems(config: Partial<ModelConfig>): ConfigProblem[] {
  const choice = chooseModel(config);
  if (isModelProblem(choice)) return [choice];
  const problems: ConfigProblem[] = [];
  if (choice?.provider === "bedrock" && config.AWS_REGION === undefined)
    problems.push({ name: "AWS_REGION", wrong: "is not set, but MODEL=bedrock/… requires it" });
  if (
    choice?.provider === "bedrock" &&
    config.AWS_ACCESS_KEY_ID !== undefined &&
    config.AWS_SECRET_ACCESS_KEY === undefined
  )
    problems.push({ name: "AWS_SECRET_ACCESS_KEY", wrong: "is not set, but AWS_ACCESS_KEY_ID is" });
  if (choice === undefined && config.ASSISTANT_FILE !== undefined)
    problems.push({ name: "ASSISTANT_FILE", wrong: "is set, but no language model is connected. Set MODEL or a key" });
  else problems.push(...assistantFileProblems(config));
  return problems;
}

/** Warns of addresses to which questions and keys travel unencrypted. */
export function modelWarnings(config: Partial<ModelConfig>): string[] {
  return (["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"] as const).flatMap((name) => {
    const value = config[name];
    return value !== undefined && isReadableOnTheWay(value)
      ? [`${name} is http: on another machine. Questions, files and the key travel there unencrypted. Use https:.`]
      : [];
  });
}

export type McpConfig = ConfigValues<typeof mcpVariables>;

/** Checks the variables about MCP servers against each other. Variables that could not be read are absent. */
export function mcpProblems({
  MCP_SERVERS: servers,
  MCP_TOKENS: tokens = [],
  MCP_READ_ONLY: readOnly = [],
}: Partial<McpConfig>): ConfigProblem[] {
  if (servers === undefined) return [];
  const names = servers.map(({ name }) => name);
  const expected = names.length === 0 ? "the server in MCP_SERVERS, too" : `one of ${names.join(", ")}`;
  const unknown = (name: "MCP_TOKENS" | "MCP_READ_ONLY", named: readonly string[]): ConfigProblem[] =>
    named.some((server) => !names.includes(server))
      ? [{ name, wrong: "lists a server that MCP_SERVERS does not list", expected }]
      : [];
  const tokenOf = tokens.map(({ server }) => server);
  const twice = (name: "MCP_SERVERS" | "MCP_TOKENS", named: readonly string[]): ConfigProblem[] =>
    new Set(named).size < named.length ? [{ name, wrong: "lists a server twice", expected: "each name once" }] : [];
  return [
    ...twice("MCP_SERVERS", names),
    ...twice("MCP_TOKENS", tokenOf),
    ...unknown("MCP_TOKENS", tokenOf),
    ...unknown("MCP_READ_ONLY", readOnly),
  ];
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
