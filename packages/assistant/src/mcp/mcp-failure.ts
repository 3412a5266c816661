import { MCPClientError } from "@ai-sdk/mcp";
import { brokenOff, tooLarge } from "./bounded-fetch.ts";

/**
 * Why a server didn't answer. The message is for the operator. It contains no text of the server, no URL and no secret.
 */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  /** The server's own message, when it refused a call. */
  readonly said: string | undefined;

  constructor(message: string, said?: string) {
    super(message);
    this.said = said;
  }
}

/**
 * Converts an error of the client. The client's own errors contain the server's whole response and must not be logged.
 */
export function mcpFailureOf(error: unknown): McpFailure {
  if (!MCPClientError.isInstance(error)) return new McpFailure(reasonOf(error));
  const { statusCode, code, message } = error;
  if (statusCode === 401 || statusCode === 403)
    return new McpFailure(`it answers HTTP ${statusCode}: check its token in MCP_TOKENS`);
  if (statusCode === 404) return new McpFailure("it answers HTTP 404: check its URL in MCP_SERVERS");
  if (statusCode !== undefined && statusCode >= 400) return new McpFailure(`it answers HTTP ${statusCode}`);
  if (code === brokenOff) return new McpFailure(message === tooLarge ? tooLarge : "the connection was lost");
  if (code !== undefined) return new McpFailure(`it answers with the JSON-RPC error ${code}`, message);
  return new McpFailure("its answer is not that of an MCP server");
}

/** Describes why a request got no answer. `cause` is that of `fetch`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: unknown };
  if (message === tooLarge) return tooLarge;
  if (message === "terminated") return "the connection was lost";
  const { code, name, message: inner } = (cause ?? error) as Readonly<Record<string, unknown>>;
  // Its message names the secret or address and says what to do.
  if (name === "AgentFailure") return String(inner);
  if (inner === "unexpected redirect") return "it redirects to another URL: use that URL";
  if (typeof code === "string") return `it can't be reached (${code})`;
  return cause === undefined ? "its answer is not that of an MCP server" : "it can't be reached";
}
