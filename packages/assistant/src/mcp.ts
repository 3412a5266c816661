/** Loads the MCP client. Import this only when an MCP server is configured. */
export { createMcpServers, type McpServers, type McpServersDeps, type McpTurn } from "./mcp/create-mcp-servers.ts";
export { listMcpTools } from "./mcp/mcp-listings.ts";
