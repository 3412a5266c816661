/** A server of the Model Context Protocol that the operator has configured. https://modelcontextprotocol.io */
export interface McpServer {
  /** Letters, digits and `-`, unique. Its tools are called `<name>_<tool>`. */
  readonly name: string;
  /** Where it speaks Streamable HTTP. */
  readonly url: string;
  /** Returns the bearer token, undefined when it wants none. Asked for with each connection, so that one that was replaced is used. */
  readonly readToken: () => Promise<string | undefined>;
  /** The operator says that none of its tools changes anything. */
  readonly isReadOnly: boolean;
}

/** A tool as its server describes it: words of the server, for which nobody vouches until they are pinned. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Hints such as `readOnlyHint`. */
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** Whether a tool may be offered: `pinned` alone may. `new` is unknown on a server that is known, `changed` is not what was pinned. */
export type McpToolState = "pinned" | "changed" | "new";

/** Remembers the definitions that may be offered. */
export interface McpPins {
  /**
   * Keeps what a server lists now, and returns the state of each of its tools by name. All tools of a server that was never seen become
   * `pinned`.
   */
  observe(server: string, listed: readonly McpDefinition[]): Promise<ReadonlyMap<string, McpToolState>>;
}

/** What an operator should know of servers. No text holds words of a server, but names of tools. */
export interface McpObserver {
  /** The server has these tools for the model. Told when it changes. */
  readonly offered: (server: string, tools: readonly string[]) => void;
  /** These tools are not offered until they are approved. Told when it changes. */
  readonly withheld: (server: string, tools: readonly string[]) => void;
  /** The tools of a server are missing, and why. */
  readonly failed: (server: string, because: string) => void;
}

/** Bounds of a server's connections. */
export interface McpLimits {
  /** How long a server may take to connect, and then to list its tools, milliseconds. */
  readonly connectMs: number;
  /** How long a call of a tool may take, milliseconds. */
  readonly callMs: number;
  /** Bytes of one answer. */
  readonly mostBytes: number;
  /** How long a list of tools is believed, and how long a server that failed is left alone, milliseconds. */
  readonly listedMs: number;
  readonly failedMs: number;
}
