import { connectMcp, type McpWay } from "./connect-mcp.ts";
import type { McpDefinition, McpServer } from "./mcp-server.ts";
import { isUsable } from "./mcp-tool.ts";

/** Fetches the usable tools of a server, by name. Rejects with the signal's reason or an `McpFailure`. */
export async function listMcpTools(server: McpServer, way: McpWay, signal: AbortSignal): Promise<McpDefinition[]> {
  const connection = await connectMcp(server, way, signal);
  try {
    // Of tools with the same name only one is kept, so that the pinned definition is the offered one.
    const all = new Map((await connection.list(signal)).map((definition) => [definition.name, definition]));
    return [...all.values()].filter(isUsable).toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  } finally {
    void connection.close();
  }
}
