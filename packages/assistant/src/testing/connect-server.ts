import { createMcpServers, type McpTask } from "../mcp/create-mcp-servers.ts";
import type { McpLimits, McpServer } from "../mcp/mcp-server.ts";
import type { AssistantTool } from "../tools/assistant-tool.ts";
import { memoryPins } from "./start-mcp-server.ts";

/** What an event says of the server: why it failed, or which tools it is about. */
interface McpNews {
  readonly event: string;
  readonly because?: string;
  readonly tools?: readonly string[];
}

export const running = new AbortController().signal;

/** Connects to one MCP server, `search` unless it says otherwise. `told` has what is said of it. */
export function connectServer(server: Pick<McpServer, "reach"> & Partial<McpServer>, limits: Partial<McpLimits> = {}) {
  const told: string[] = [];
  const pins = memoryPins();
  const mcp = createMcpServers({
    servers: [{ name: "search", isReadOnly: false, callMs: 60_000, ...server }],
    pins,
    limits: { connectMs: 60_000, mostBytes: 100_000, listedMs: 0, failedMs: 0, ...limits },
    emit: (event, ...[fields]) => {
      const { because, tools } = { event, ...fields } as McpNews;
      told.push(because ?? `${event} ${tools?.join(", ")}`);
    },
  });
  /** Uses the tools of a turn. */
  const turn = async <T>(use: (tools: readonly AssistantTool[]) => Promise<T>, task?: McpTask): Promise<T> => {
    const { tools, close } = await mcp.openTurn(running, task);
    return use(tools).finally(close);
  };
  const names = () => turn(async (tools) => tools.map(({ name }) => name));
  /** Calls the first tool. */
  const call = (input: unknown = {}, signal = running) =>
    turn(async ([tool]) => tool?.run(input, { signal, number: 1 }));
  return { mcp, pins, told, turn, names, call };
}
