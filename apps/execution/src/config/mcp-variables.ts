import { isSecretReference } from "@crosszone/agent-bridge";
import { defineConfig, duration, list } from "@crosszone/service-kit";
import { z } from "zod";
import { groupOf } from "./group-of.ts";

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
const parsed = <T>(parse: (text: string) => T | undefined, refusal: string) =>
  z.string().transform((text, context): T => {
    const found = parse(text);
    if (found !== undefined) return found;
    context.addIssue({ code: "custom", message: refusal });
    return z.NEVER;
  });

/** Which MCP servers the assistant uses. */
export const mcpVariables = defineConfig({
  ...groupOf("MCP servers", {
    MCP_SERVERS: {
      schema: list(
        parsed(parseMcpServer, "it is no name of letters, digits and -, then = and a URL without a user").describe(
          "a name, then = and the URL of the server",
        ),
      ),
      default: "",
      description:
        "MCP servers whose tools the assistant can use, as name=URL over Streamable HTTP. Their tools are pinned; an admin approves changes.",
      example: "search=https://search.example.com/mcp, wiki=http://127.0.0.1:9000/mcp",
    },
    MCP_TOKENS: {
      schema: list(
        parsed(parseMcpToken, "it is no name of a server, then = and env:AGENT_SECRET_… or file:…").describe(
          "the name of a server, then = and env:AGENT_SECRET_… or file:…",
        ),
      ),
      default: "",
      description:
        "Bearer tokens of MCP servers, as references to secrets. Execution sends a token only to its server.",
      example: "search=env:AGENT_SECRET_SEARCH, wiki=file:wiki-token",
    },
    MCP_READ_ONLY: {
      schema: list(),
      default: "",
      description:
        "Names of MCP servers whose tools have no side effects. The model cannot call other tools once it has read third-party content.",
      example: "search, wiki",
    },
    MCP_TIMEOUT: {
      schema: duration({ min: 100 }),
      default: "60s",
      description: "How long one tool call of an MCP server can take.",
      formerly: "MCP_TIMEOUT_MS",
    },
  }),
});
