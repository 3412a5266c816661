import { isMcpServer, isMcpServerList, type McpServer, type McpServerList } from "@crosszone/contracts";
import type { AskApi } from "./agents-api.ts";

/** The MCP methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface McpApi {
  readonly list: () => Promise<McpServerList>;
  /** Pins tool definitions by their fingerprints: all of them, or none if one is refused. */
  readonly approve: (server: string, tools: Readonly<Record<string, string>>) => Promise<McpServer>;
}

export function createMcpApi(ask: AskApi): McpApi {
  return {
    list: () => ask(isMcpServerList, { path: "mcp-servers" }),
    approve: (server, tools) =>
      ask(isMcpServer, { method: "POST", path: `mcp-servers/${encodeURIComponent(server)}/approve`, body: { tools } }),
  };
}
