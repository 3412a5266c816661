import { isSecretReference } from "@crosszone/agent-bridge";
import { groupOf, list, variable } from "@crosszone/service-kit";
import { z } from "zod";

/** A server of MCP_SERVERS. */
export interface NamedMcpServer {
  readonly name: string;
  readonly url: string;
}

/**
 * Parses `name=URL`. Undefined for other text, for a name with characters other than letters, digits and `-`, and for a
 * URL with a user or password.
 */
function parseMcpServer(text: string): NamedMcpServer | undefined {
  const [, name = "", address = ""] = /^([A-Za-z][A-Za-z\d-]{0,31})\s*=\s*(.+)$/.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return { name, url: address };
}

/** The place of a server's token. */
export interface McpToken {
  readonly server: string;
  /** `env:AGENT_SECRET_…` or `file:…`. */
  readonly reference: string;
}

/** Parses `name=env:AGENT_SECRET_…` or `name=file:…`. Undefined for other text. */
function parseMcpToken(text: string): McpToken | undefined {
  const [, server = "", reference = ""] = /^([^=\s]+)\s*=\s*(.+)$/.exec(text) ?? [];
  return isSecretReference(reference) ? { server, reference } : undefined;
}

/** Refuses what can't be parsed; its text is not repeated, as it may hold a secret. */
const parsed = <T>(parse: (text: string) => T | undefined, what: string) =>
  z
    .string()
    .transform((text, context): T => parse(text) ?? (context.addIssue(`it is not ${what}`), z.NEVER))
    .describe(what);

const server = parsed(
  parseMcpServer,
  "a name of letters, digits and -, then = and the URL of the server, without a user",
);
const token = parsed(parseMcpToken, "the name of a server, then = and env:AGENT_SECRET_… or file:…");

/** Which MCP servers the assistant uses. */
export const mcpVariables = groupOf("MCP servers", {
  MCP_SERVERS: variable(list(server), {
    default: "",
    example: "search=https://search.example.com/mcp, wiki=http://127.0.0.1:9000/mcp",
  })`
    MCP servers whose tools the assistant can use, as name=URL over Streamable HTTP. Their tools are pinned; an
    admin approves changes.`,
  MCP_TOKENS: variable(list(token), { default: "", example: "search=env:AGENT_SECRET_SEARCH, wiki=file:wiki-token" })`
    Bearer tokens of MCP servers, as references to secrets. Execution sends a token only to its server.`,
  MCP_READ_ONLY: variable(list(), { default: "", example: "search, wiki" })`
    Names of MCP servers whose tools have no side effects. The model cannot call other tools once it has read
    third-party content.`,
});
