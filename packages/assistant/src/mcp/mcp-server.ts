/** A configured server of the Model Context Protocol. https://modelcontextprotocol.io */
export interface McpServer {
  /** Letters, digits and `-`, unique. Its tools are called `<name>_<tool>`. */
  readonly name: string;
  /** URL of its Streamable HTTP endpoint. */
  readonly url: string;
  /**
   * Returns the bearer token; undefined when the server needs none. Called for each connection, so that a replaced
   * token takes effect.
   */
  readonly readToken: () => Promise<string | undefined>;
  /** The operator's statement that none of its tools changes anything. */
  readonly isReadOnly: boolean;
}

/** A tool as its server describes it. The description is untrusted until it is pinned. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Hints such as `readOnlyHint`. */
  readonly annotations: Readonly<Record<string, unknown>>;
}

/**
 * Whether a tool may be offered: only a `pinned` one. `new` is an unknown tool on a known server; `changed` differs
 * from its pinned definition.
 */
export type McpToolState = "pinned" | "changed" | "new";

/** Stores the definitions that may be offered. */
export interface McpPins {
  /**
   * Stores a server's current list and returns the state of each tool by name. All tools of a new server become
   * `pinned`.
   */
  observe(server: string, listed: readonly McpDefinition[]): Promise<ReadonlyMap<string, McpToolState>>;
}

/** Receives events of servers for the operator. Texts contain no server content except tool names. */
export interface McpObserver {
  /** The server offers these tools to the model. Called on each change. */
  readonly offered: (server: string, tools: readonly string[]) => void;
  /** These tools are withheld until approved. Called on each change. */
  readonly withheld: (server: string, tools: readonly string[]) => void;
  /** The server's tools are unavailable, with the reason. */
  readonly failed: (server: string, because: string) => void;
}

/** Limits of a server's connections. */
export interface McpLimits {
  /** Timeout of connecting, and then of listing tools, milliseconds. */
  readonly connectMs: number;
  /** Timeout of a tool call, milliseconds. */
  readonly callMs: number;
  /** The largest answer, bytes. */
  readonly mostBytes: number;
  /** How long a list of tools is cached, and how long a failed server is not retried, milliseconds. */
  readonly listedMs: number;
  readonly failedMs: number;
}
