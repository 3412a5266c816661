import { defineConfig, duration, list } from "@crosszone/service-kit";
import { z } from "zod";
import { parseMcpServer, parseMcpToken } from "./parse-mcp-server.ts";

const group = "MCP servers";

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
    group,
  },
  MCP_TOKENS: {
    schema: list(
      parsed(parseMcpToken, "it is no name of a server, then = and env:AGENT_SECRET_… or file:…").describe(
        "the name of a server, then = and env:AGENT_SECRET_… or file:…",
      ),
    ),
    default: "",
    description: "Bearer tokens of MCP servers, as references to secrets. Execution sends a token only to its server.",
    example: "search=env:AGENT_SECRET_SEARCH, wiki=file:wiki-token",
    group,
  },
  MCP_READ_ONLY: {
    schema: list(),
    default: "",
    description:
      "Names of MCP servers whose tools have no side effects. The model cannot call other tools once it has read third-party content.",
    example: "search, wiki",
    group,
  },
  MCP_TIMEOUT: {
    schema: duration({ min: 100 }),
    default: "60s",
    description: "How long one tool call of an MCP server can take.",
    group,
    formerly: "MCP_TIMEOUT_MS",
  },
});
