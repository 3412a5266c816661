import { unlessAborted } from "@crosszone/service-kit/timing";
import { connectMcp } from "./connect-mcp.ts";
import type { McpDefinition, McpEmit, McpLimits, McpPins, McpServer } from "./mcp-server.ts";
import { isUsable } from "./mcp-tool.ts";
import { McpFailure } from "./mcp-failure.ts";

export interface McpListingsDeps {
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

/** Returns the tools of a server that may be offered now, sorted by name. Rejects only with the signal's reason. */
type OfferedTools = (server: McpServer, signal: AbortSignal) => Promise<readonly McpDefinition[]>;

/** Caches the lists of tools for a short time, so that no server, working or dead, delays every question. */
export function createMcpListings({ pins, emit, limits }: McpListingsDeps): OfferedTools {
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

  return async (server, signal) => {
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
