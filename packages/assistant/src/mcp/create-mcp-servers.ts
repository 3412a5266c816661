import type { AssistantTool } from "../tools/assistant-tool.ts";
import { connectMcp, type McpConnection, type McpWay } from "./connect-mcp.ts";
import { createMcpListings } from "./mcp-listings.ts";
import type { McpObserver, McpPins, McpServer } from "./mcp-server.ts";
import { mcpToolOf } from "./mcp-tool.ts";

export interface McpServersDeps extends McpWay {
  readonly servers: readonly McpServer[];
  readonly pins: McpPins;
  readonly observer: McpObserver;
}

/** The tools of servers for one turn. */
export interface McpTurn {
  readonly tools: readonly AssistantTool[];
  /** Ends the turn's sessions, and cuts what is under way. */
  readonly close: () => void;
}

/** MCP servers as tools of the assistant. */
export interface McpServers {
  /** Of the servers. */
  readonly names: readonly string[];
  /** Returns the tools that may be offered now. Those of a server that can't be reached are missing. Rejects with the signal's reason only. */
  readonly openTurn: (signal: AbortSignal) => Promise<McpTurn>;
  /** Waits until all sessions of turns that ended are closed. */
  readonly close: () => Promise<void>;
}

/**
 * Connects servers as they are needed: a turn has one session with each server that it calls. The lists of tools are shared by turns for a
 * short time; sessions never are, as they may hold what a person did.
 */
export function createMcpServers({ servers, pins, observer, ...way }: McpServersDeps): McpServers {
  const listings = createMcpListings({ pins, observer, ...way });
  const closing = new Set<Promise<void>>();

  const openSession = (server: McpServer) => {
    let open: Promise<McpConnection> | undefined;
    return {
      connect: (signal: AbortSignal): Promise<McpConnection> => (open ??= connectMcp(server, way, signal)),
      close: (): void => {
        const closed = (open ?? Promise.reject(new Error("never opened"))).then(
          (connection) => connection.close(),
          () => undefined,
        );
        closing.add(closed);
        void closed.then(() => closing.delete(closed));
      },
    };
  };

  return {
    names: servers.map(({ name }) => name),
    openTurn: async (signal) => {
      const opened = await Promise.all(
        servers.map(async (server) => {
          const definitions = await listings.offered(server, signal);
          const session = openSession(server);
          return { session, tools: definitions.map((each) => mcpToolOf(each, server, session.connect)) };
        }),
      );
      return {
        tools: opened.flatMap(({ tools }) => tools),
        close: () => {
          for (const { session } of opened) session.close();
        },
      };
    },
    close: async () => void (await Promise.all(closing)),
  };
}
