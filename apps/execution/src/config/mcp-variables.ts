import { isSecretReference } from "@crosszone/agent-bridge";
import { groupOf, list, variable } from "@crosszone/service-kit";
import { z } from "zod";

/** A server of MCP_SERVERS. */
export interface NamedMcpServer {
  readonly name: string;
  readonly url: string;
  /** The place of its bearer token: `env:AGENT_SECRET_…` or `file:…`. */
  readonly token: string | undefined;
  readonly isReadOnly: boolean;
}

/**
 * Parses `name=URL`, then a reference to a token and `read-only`, each optional. Undefined for other text, for a name
 * with characters other than letters, digits and `-`, and for a URL with a user or password.
 */
function parseMcpServer(text: string): NamedMcpServer | undefined {
  const [, name = "", address = "", rest = ""] = /^([A-Za-z][A-Za-z\d-]{0,31})\s*=\s*(\S+)(.*)$/.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  const words = rest.trim().split(/\s+/).filter(Boolean);
  const tokens = words.filter(isSecretReference);
  const isReadOnly = words.includes("read-only");
  if (tokens.length > 1 || words.length !== tokens.length + Number(isReadOnly)) return undefined;
  return { name, url: address, token: tokens[0], isReadOnly };
}

const what = "name=URL, then env:AGENT_SECRET_… or file:… if it needs a token, and read-only";

/** Refuses what can't be parsed; its text is not repeated, as it may hold a secret. */
const server = z
  .string()
  .transform((text, context) => parseMcpServer(text) ?? (context.addIssue(`it is not ${what}`), z.NEVER))
  .describe(what);

/** Which MCP servers the assistant uses. */
export const mcpVariables = groupOf("MCP servers", {
  MCP_SERVERS: variable(list(server), {
    default: "",
    example: "search=https://search.example.com/mcp env:AGENT_SECRET_SEARCH, wiki=http://127.0.0.1:9000/mcp read-only",
  })`
    MCP servers whose tools the assistant can use over Streamable HTTP. Their tools are pinned; an admin approves
    changes. A bearer token is a reference to a secret; execution sends it only to its server. read-only tools have no
    side effects. The model cannot call other tools once it has read third-party content.`,
});
