import { atMost, noLonger, unlessAborted } from "@crosszone/service-kit/timing";
import { connectMcp, type McpConnection } from "./connect-mcp.ts";
import type { McpDecision } from "./elicitation.ts";
import { McpFailure } from "./mcp-failure.ts";
import type { McpEmit, McpLimits, McpServer } from "./mcp-server.ts";
import type { McpDefinition, McpList, McpPins } from "./read-tools.ts";
import { mcpToolOf } from "./mcp-tool.ts";

interface McpListingsDeps {
  readonly limits: McpLimits;
  readonly pins: McpPins;
  readonly emit: McpEmit;
}

/** A list of tools, fetched or being fetched. */
interface Listing {
  /** While it is fetched, the list before; undefined when there was none. */
  list: McpList | undefined;
  readonly fetched: Promise<void>;
  /** Whether it takes longer than a question waits for a program. */
  isSlow: boolean;
  /** When the list expires, in milliseconds of `performance.now()`; infinite while it is fetched. */
  until: number;
}

/** What is reported of the tools of a server, once for each change. */
type ReportKind = "offered" | "withheld" | "left out" | "slow";

/**
 * `offered` returns the tools of a server that may be offered now, sorted by name; it rejects only with the signal's reason. The lists are cached
 * for a short time, so that no server, working or dead, delays every question. Only the first question waits for a program that is slow to start.
 */
function createMcpListings({ pins, emit, limits }: McpListingsDeps, stopped: AbortSignal) {
  const listings = new Map<string, Listing>();
  const reported = new Map<string, string>();

  const report = (server: string, [kind, items]: readonly [ReportKind, readonly string[]], tell: () => void): void => {
    const [key, now] = [`${kind} ${server}`, items.join("\n")];
    if ((reported.get(key) ?? "") === now) return;
    reported.set(key, now);
    if (kind === "offered" || items.length > 0) tell();
  };

  const fetchList = async (server: McpServer): Promise<McpList | undefined> => {
    try {
      // Not a turn's own signal: other turns wait for the same list.
      return await listMcpTools(server, limits, stopped);
    } catch (error) {
      if (stopped.aborted) return undefined;
      const because = error instanceof McpFailure ? error.message : "its tools can't be listed";
      emit("mcp_server_failed", { server: server.name, because });
      return undefined;
    }
  };

  const listingOf = (server: McpServer): Listing => {
    const cached = listings.get(server.name);
    if (cached !== undefined && performance.now() < cached.until) return cached;
    const begun = performance.now();
    const found = fetchList(server);
    const keep = (list: McpList | undefined): void => {
      const ended = performance.now();
      listing.list = list;
      listing.isSlow = ended - begun > limits.connectMs;
      listing.until = ended + (list === undefined ? limits.failedMs : limits.listedMs);
    };
    const { list, isSlow = false } = cached ?? {};
    const listing: Listing = { list, isSlow, fetched: found.then(keep), until: Infinity };
    listings.set(server.name, listing);
    return listing;
  };

  const listOf = async (server: McpServer, signal: AbortSignal): Promise<McpList | undefined> => {
    const listing = listingOf(server);
    if ("url" in server.reach) await unlessAborted(listing.fetched, signal);
    else if (!listing.isSlow) await unlessAborted(atMost(limits.connectMs, listing.fetched), signal);
    listing.isSlow ||= listing.until === Infinity;
    const isStarting = listing.until === Infinity && listing.list === undefined;
    const because = `its program has not started within ${limits.connectMs} ms: questions are answered without its tools until then`;
    const tell = (): void => emit("mcp_server_failed", { server: server.name, because });
    report(server.name, ["slow", isStarting ? [because] : []], tell);
    return listing.list;
  };

  const offered = async (server: McpServer, signal: AbortSignal): Promise<readonly McpDefinition[]> => {
    const { name } = server;
    const list = await listOf(server, signal);
    if (list === undefined) return [];
    const odd = list.leftOut.map((one) => `${one.name}: ${one.because}`);
    report(name, ["left out", odd], () => emit("mcp_tools_left_out", { server: name, tools: odd }));
    const states = await pins.observe(name, list).catch(() => undefined);
    if (states === undefined) {
      emit("mcp_server_failed", { server: name, because: "its pinned tools can't be read" });
      return [];
    }
    const isPinned = (tool: McpDefinition): boolean => states.get(tool.name) === "pinned";
    const pinned = list.tools.filter(isPinned);
    const names = (tools: readonly McpDefinition[]): string[] => tools.map((tool) => tool.name);
    const [tools, withheld] = [names(pinned), names(list.tools.filter((tool) => !isPinned(tool)))];
    report(name, ["offered", tools], () => emit("mcp_tools_offered", { server: name, tools }));
    const how = `crosszone mcp approve ${name}`;
    report(name, ["withheld", withheld], () => emit("mcp_tools_withheld", { server: name, tools: withheld, how }));
    return pinned;
  };
  return { offered, ended: () => Promise.all([...listings.values()].map(({ fetched }) => fetched)) };
}

/** Fetches the tools of a server, by name. Rejects with the signal's reason or an `McpFailure`. */
export async function listMcpTools(server: McpServer, limits: McpLimits, signal: AbortSignal): Promise<McpList> {
  const connection = await connectMcp(server, limits, signal);
  try {
    return await connection.list(signal);
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
  const stop = new AbortController();
  const listings = createMcpListings({ pins, emit, limits }, stop.signal);
  const closing = new Set<Promise<void>>();

  const openSession = (server: McpServer) => {
    let open: Promise<McpConnection> | undefined;
    return {
      connect: (signal: AbortSignal): Promise<McpConnection> => (open ??= connectMcp(server, limits, signal)),
      close: (): void => {
        if (open === undefined) return;
        const closed = open.then((connection) => connection.close()).catch(() => undefined);
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
          const definitions = await listings.offered(server, signal);
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
    /** Stops listing tools, and waits until the sessions of ended turns are closed. */
    close: async (): Promise<void> => {
      stop.abort(noLonger);
      await Promise.all([...closing, listings.ended()]);
    },
  };
}

const isFor =
  (task: McpTask | undefined) =>
  ({ agents, channels }: McpServer): boolean =>
    task === undefined || ((agents?.includes(task.agent) ?? true) && (channels?.includes(task.channel ?? "") ?? true));

/** Loads the MCP client. Import this only when an MCP server is configured. */
