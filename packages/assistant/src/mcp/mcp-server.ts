import { hash } from "node:crypto";
import type { Emit } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";

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

/** A server's answer to a call. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result */
export interface McpAnswer {
  readonly content?: readonly McpPart[];
  readonly isError?: boolean;
  /** Replaces `content` in servers of 2024-10-07. */
  readonly toolResult?: unknown;
}

/** A part of an answer. */
export interface McpPart {
  readonly type: string;
  readonly [member: string]: unknown;
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

/** Reports changes of the offered tools, and failures. Contains no server content except tool names. */
export type McpEmit = Emit<"mcp_tools_offered" | "mcp_tools_withheld" | "mcp_server_failed">;

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

/** Returns the SHA-256 of a definition, in hex. The order of members is irrelevant, the order of items is not. */
export function fingerprintOf({ name, description, inputSchema, annotations }: McpDefinition): string {
  return hash("sha256", canonicalJson({ name, description, inputSchema, annotations }), "hex");
}
