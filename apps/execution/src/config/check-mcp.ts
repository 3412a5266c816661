import { chooseModel } from "@crosszone/assistant";
import { isReadableOnTheWay, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import type { ModelConfig } from "./check-model.ts";
import type { mcpVariables } from "./mcp-variables.ts";

export type McpConfig = ConfigValues<typeof mcpVariables>;

/** What no variable can say alone about MCP servers. Variables that could not be read are absent. */
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
