import type { AssistantTool } from "../tools/assistant-tool.ts";
import { connectMcp, type McpConnection } from "./connect-mcp.ts";
import type { McpDecision } from "./elicitation.ts";
import { createMcpListings, type McpListingsDeps } from "./mcp-listings.ts";
import type { McpServer } from "./mcp-server.ts";
import { mcpToolOf } from "./mcp-tool.ts";

export interface McpServersDeps extends McpListingsDeps {
  readonly servers: readonly McpServer[];
}

/** The servers' tools for one turn. */
export interface McpTurn {
  readonly tools: readonly AssistantTool[];
  /** Ends the turn's sessions and aborts pending requests. */
  readonly close: () => void;
}

/** The task that uses tools. */
export interface McpTask {
  readonly agent: string;
  /** Id of the Slack channel. */
  readonly channel: string | undefined;
  /** The decisions on its input requests, by their keys; undefined when the task has no person to ask. */
  readonly decided: ReadonlyMap<string, McpDecision> | undefined;
  /** How often its question was passed on before. */
  readonly hops?: number | undefined;
}

/** MCP servers as tools of the assistant. */
export interface McpServers {
  /** The names of the servers. */
  readonly names: readonly string[];
  /**
   * Returns the tools that may be offered now, without those of unreachable servers; without a task, those of all
   * servers. Rejects only with the signal's reason.
   */
  readonly openTurn: (signal: AbortSignal, task?: McpTask) => Promise<McpTurn>;
  /** Waits until the sessions of ended turns are closed. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to servers on demand: a turn has one session with each server that it calls. Turns share the lists of tools
 * for a short time, but never a session, because a session may contain a person's data.
 */
export function createMcpServers({ servers, pins, emit, limits }: McpServersDeps): McpServers {
  const offered = createMcpListings({ pins, emit, limits });
  const closing = new Set<Promise<void>>();

  const openSession = (server: McpServer) => {
    let open: Promise<McpConnection> | undefined;
    return {
      connect: (signal: AbortSignal): Promise<McpConnection> => (open ??= connectMcp(server, limits, signal)),
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
    openTurn: async (signal, task) => {
      const opened = await Promise.all(
        servers.filter(isFor(task)).map(async (server) => {
          const definitions = await offered(server, signal);
          const session = openSession(server);
          return {
            session,
            tools: definitions.map((each) =>
              mcpToolOf(each, server, { connect: session.connect, decided: task?.decided, hops: task?.hops }),
            ),
          };
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

const isFor =
  (task: McpTask | undefined) =>
  ({ agents, channels }: McpServer): boolean =>
    task === undefined || ((agents?.includes(task.agent) ?? true) && (channels?.includes(task.channel ?? "") ?? true));
