import { unlessAborted } from "@crosszone/service-kit/timing";
import { connectMcp, type McpConnection } from "./connect-mcp.ts";
import type { McpDecision } from "./elicitation.ts";
import { McpFailure } from "./mcp-failure.ts";
import type { McpDefinition, McpEmit, McpLimits, McpPins, McpServer } from "./mcp-server.ts";
import { isUsable, mcpToolOf } from "./mcp-tool.ts";

interface McpListingsDeps {
  readonly limits: McpLimits;
  readonly pins: McpPins;
  readonly emit: McpEmit;
}

/** A list of tools, fetched or being fetched. Undefined when the server returned none. */
interface Listing {
  readonly found: Promise<readonly McpDefinition[] | undefined>;
  /** When the list expires, in milliseconds of `performance.now()`; infinite while it is fetched. */
  until: number;
}

/**
 * Returns a function that returns the tools of a server that may be offered now, sorted by name; it rejects only with the signal's reason. Caches
 * the lists for a short time, so that no server, working or dead, delays every question.
 */
function createMcpListings({ pins, emit, limits }: McpListingsDeps) {
  const listings = new Map<string, Listing>();
  const reported = new Map<string, string>();

  /** Reports each change once. */
  const report = (kind: "offered" | "withheld", server: string, tools: readonly string[]): void => {
    const [key, now] = [`${kind} ${server}`, tools.join(" ")];
    if ((reported.get(key) ?? "") === now) return;
    reported.set(key, now);
    if (kind === "offered") emit("mcp_tools_offered", { server, tools });
    else if (tools.length > 0) emit("mcp_tools_withheld", { server, tools, how: `crosszone mcp approve ${server}` });
  };

  const fetchList = async (server: McpServer): Promise<readonly McpDefinition[] | undefined> => {
    // Not a turn's own signal: other turns wait for the same list.
    const { signal } = new AbortController();
    try {
      return await listMcpTools(server, limits, signal);
    } catch (error) {
      const because = error instanceof McpFailure ? error.message : "its tools can't be listed";
      emit("mcp_server_failed", { server: server.name, because });
      return undefined;
    }
  };

  const listed = (server: McpServer): Listing["found"] => {
    const cached = listings.get(server.name);
    if (cached !== undefined && performance.now() < cached.until) return cached.found;
    const found = fetchList(server);
    const listing: Listing = { found, until: Infinity };
    listings.set(server.name, listing);
    const keep = async (): Promise<void> => {
      const isFound = (await found) !== undefined;
      listing.until = performance.now() + (isFound ? limits.listedMs : limits.failedMs);
    };
    void keep();
    return found;
  };

  return async (server: McpServer, signal: AbortSignal): Promise<readonly McpDefinition[]> => {
    const list = await unlessAborted(listed(server), signal);
    if (list === undefined) return [];
    const states = await pins.observe(server.name, list).catch(() => undefined);
    if (states === undefined) {
      emit("mcp_server_failed", { server: server.name, because: "its pinned tools can't be read" });
      return [];
    }
    const isPinned = ({ name }: McpDefinition): boolean => states.get(name) === "pinned";
    const names = (definitions: readonly McpDefinition[]): string[] => definitions.map(({ name }) => name);
    const offered = list.filter(isPinned);
    report("offered", server.name, names(offered));
    report("withheld", server.name, names(list.filter((definition) => !isPinned(definition))));
    return offered;
  };
}

/** Fetches the usable tools of a server, by name. Rejects with the signal's reason or an `McpFailure`. */
export async function listMcpTools(
  server: McpServer,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<McpDefinition[]> {
  const connection = await connectMcp(server, limits, signal);
  try {
    // Of tools with the same name only one is offered, so that the pinned definition is the offered one.
    const all = new Map((await connection.list(signal)).map((definition) => [definition.name, definition]));
    return [...all.values()].filter(isUsable).toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  } finally {
    void connection.close();
  }
}

/** The task that uses tools. @public */
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
export type McpServers = ReturnType<typeof createMcpServers>;

/**
 * Connects to servers on demand: a turn has one session with each server that it calls. Turns share the lists of tools
 * for a short time, but never a session, because a session may contain a person's data.
 */
export function createMcpServers({
  servers,
  pins,
  emit,
  limits,
}: McpListingsDeps & { readonly servers: readonly McpServer[] }) {
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
    /**
     * Returns the tools that may be offered now, without those of unreachable servers; without a task, those of all servers. Rejects only with
     * the signal's reason.
     */
    openTurn: async (signal: AbortSignal, task?: McpTask) => {
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
        /** Ends the turn's sessions and aborts pending requests. */
        close: (): void => {
          for (const { session } of opened) session.close();
        },
      };
    },
    /** Waits until the sessions of ended turns are closed. */
    close: async (): Promise<void> => void (await Promise.all(closing)),
  };
}

const isFor =
  (task: McpTask | undefined) =>
  ({ agents, channels }: McpServer): boolean =>
    task === undefined || ((agents?.includes(task.agent) ?? true) && (channels?.includes(task.channel ?? "") ?? true));

/** Loads the MCP client. Import this only when an MCP server is configured. */
