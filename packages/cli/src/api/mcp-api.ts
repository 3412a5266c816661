import { isMcpServer, isMcpServerList, type McpServer, type McpServerList } from "@crosszone/contracts";
import type { AskApi } from "./agents-api.ts";

/** The part of the zone's API that is for MCP servers. Everything rejects with `RefusedError` or `UnreachableError`. */
export interface McpApi {
  readonly list: () => Promise<McpServerList>;
  /** Pins definitions by their fingerprints, all or none. */
  readonly approve: (server: string, tools: Readonly<Record<string, string>>) => Promise<McpServer>;
}

export function createMcpApi(ask: AskApi): McpApi {
  return {
    list: () => ask(isMcpServerList, { path: "mcp-servers" }),
    approve: (server, tools) =>
      ask(isMcpServer, { method: "POST", path: `mcp-servers/${encodeURIComponent(server)}/approve`, body: { tools } }),
  };
}
