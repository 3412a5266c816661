import type { Emit } from "@crosszone/service-kit";

/** A configured server of the Model Context Protocol. https://modelcontextprotocol.io */
export interface McpServer {
  /** Letters, digits and `-`, unique. Its tools are called `<name>_<tool>`. */
  readonly name: string;
  readonly reach: McpAddress | McpProgram;
  /** The operator's statement that none of its tools changes anything. */
  readonly isReadOnly: boolean;
  /** Timeout of a tool call, milliseconds. */
  readonly callMs: number;
  /** The agents that can use it; all when absent. */
  readonly agents?: readonly string[] | undefined;
  /** Ids of the Slack channels where it can be used; all when absent. */
  readonly channels?: readonly string[] | undefined;
}

/** A server over Streamable HTTP. */
export interface McpAddress {
  readonly url: string;
  /** Allows or refuses each address, also those of its authorization server. */
  readonly fetch: typeof globalThis.fetch;
  /** Returns the bearer token. Called for each connection, so that a replaced token takes effect. */
  readonly readToken?: (() => Promise<string>) | undefined;
  readonly oauth?: McpOAuth | undefined;
}

/** The client credentials grant. https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
export interface McpOAuth {
  /** The only authorization server that gets the credentials. */
  readonly issuer: string;
  readonly clientId: string;
  /** Requested when the server names none. */
  readonly scopes: readonly string[];
  /** `key`: a private key in PEM, to sign assertions with. Called for each connection. */
  readonly readCredentials: () => Promise<{ readonly secret: string } | { readonly key: string }>;
}

/** A server over stdio: a program that runs during a turn. */
export interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** All its variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its working directory; that of this process when absent. */
  readonly cwd?: string | undefined;
  /** How long it can take from its start to its first answer, milliseconds. */
  readonly startMs: number;
}

/** A server's answer to a call. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result */
export interface McpAnswer {
  readonly content: readonly McpPart[];
  readonly isError?: boolean | undefined;
  /** Whether the server asked for input during the call, over a session of 2025, which can't wait for people. */
  readonly hasAsked?: boolean;
}

/** What a server asks before it completes a call. The same call again, with the answers and the state, continues it. */
export interface McpAsking {
  readonly requests: Readonly<
    Record<string, { readonly method: string; readonly params: Readonly<Record<string, unknown>> }>
  >;
  readonly state?: string | undefined;
}

/** The member of a call's `_meta` that says how often its question was passed on, so that agents that ask each other in a loop notice it. */
export const hopsMeta = "crosszone/hops";

/** A continued call. */
export interface McpAnswers {
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly state: string | undefined;
}

export interface McpPart {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Reports changes of the offered tools, and failures. Contains no server content except tool names and pointers into definitions. */
export type McpEmit = Emit<"mcp_tools_offered" | "mcp_tools_withheld" | "mcp_tools_left_out" | "mcp_server_failed">;

export interface McpLimits {
  /** Timeout of connecting to an address, and then of listing tools, milliseconds. A question waits as long for a program. */
  readonly connectMs: number;
  /** The largest answer, bytes. */
  readonly mostBytes: number;
  /** How long a list of tools is cached, and how long a failed server is not retried, milliseconds. */
  readonly listedMs: number;
  readonly failedMs: number;
}
