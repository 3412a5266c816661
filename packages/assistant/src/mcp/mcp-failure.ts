import { MCPClientError } from "@ai-sdk/mcp";
import { brokenOff, tooLarge } from "./bounded-fetch.ts";

/** Why a server gave nothing. The message is for the operator: it holds no words of the server, no URL and no secret. */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  /** The server's own words, where it refused a call. */
  readonly said: string | undefined;

  constructor(message: string, said?: string) {
    super(message);
    this.said = said;
  }
}

/** Puts a failure of the client into words. The client's own errors hold the server's whole answer: they must not be logged. */
export function mcpFailureOf(error: unknown): McpFailure {
  if (!MCPClientError.isInstance(error)) return new McpFailure(reasonOf(error));
  const { statusCode, code, message } = error;
  if (statusCode === 401 || statusCode === 403)
    return new McpFailure(`it answers HTTP ${statusCode}: check its token in MCP_TOKENS`);
  if (statusCode === 404) return new McpFailure("it answers HTTP 404: check its URL in MCP_SERVERS");
  if (statusCode !== undefined && statusCode >= 400) return new McpFailure(`it answers HTTP ${statusCode}`);
  if (code === brokenOff) return new McpFailure(message === tooLarge ? tooLarge : "the connection broke off");
  if (code !== undefined) return new McpFailure(`it answers with the JSON-RPC error ${code}`, message);
  return new McpFailure("it doesn't answer as an MCP server does");
}

/** What kept a request from being answered. `cause` is that of `fetch`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: unknown };
  if (message === tooLarge) return tooLarge;
  if (message === "terminated") return "the connection broke off";
  const { code, name, message: inner } = (cause ?? error) as Readonly<Record<string, unknown>>;
  // It says which secret or address is meant, and what to do.
  if (name === "AgentFailure") return String(inner);
  if (inner === "unexpected redirect") return "it redirects to another URL: write that one";
  if (typeof code === "string") return `it can't be reached (${code})`;
  return cause === undefined ? "it doesn't answer as an MCP server does" : "it can't be reached";
}
