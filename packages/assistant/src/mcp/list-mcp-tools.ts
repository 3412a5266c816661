import { connectMcp, type McpWay } from "./connect-mcp.ts";
import type { McpDefinition, McpServer } from "./mcp-server.ts";
import { isUsable } from "./mcp-tool.ts";

/** Fetches the tools of a server that a model can use, by name. Rejects with the signal's reason or an `McpFailure`. */
export async function listMcpTools(server: McpServer, way: McpWay, signal: AbortSignal): Promise<McpDefinition[]> {
  const connection = await connectMcp(server, way, signal);
  try {
    // A name that comes twice stands for one definition only: the one that is pinned is the one that is offered.
    const all = new Map((await connection.list(signal)).map((definition) => [definition.name, definition]));
    return [...all.values()].filter(isUsable).toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  } finally {
    void connection.close();
  }
}
