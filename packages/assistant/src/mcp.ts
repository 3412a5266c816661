/** Loads the MCP client: import it only where an MCP server is configured. */
export { createMcpServers, type McpServers, type McpServersDeps, type McpTurn } from "./mcp/create-mcp-servers.ts";
export { listMcpTools } from "./mcp/list-mcp-tools.ts";
export type { McpWay } from "./mcp/connect-mcp.ts";
