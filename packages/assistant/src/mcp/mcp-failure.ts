import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import {
  InsecureTokenEndpointError,
  InsufficientScopeError,
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

/** Error code of a stream that ended too early. No server uses it. */
export const brokenOffCode = 1_099_511_627_776;

/** Begins our own error messages. */
const itsAnswer = "its answer";

/** Error message of a response that is too large. */
export const tooLargeText: string = `${itsAnswer} is too large`;

/** A number in structured content or in a schema, such as the largest 64-bit integer, is not passed on. */
const unusedByUs: RegExp = /^(?!\/result\/(content|inputRequests)\/)/;

/** Returns why the result of a tool can't be used: values in it would change. */
export function changeIn(message: string): string | undefined {
  try {
    parseExactJson(message, { maxDepth: 256, freeNumbers: unusedByUs });
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return error.kind === "not_json" || error.kind === "too_deep"
      ? undefined
      : `${itsAnswer} ${error.message.slice(0, 300)}`;
  }
}

/**
 * Why a server didn't answer. The message is for the operator. It contains no text of the server but pointers to values, no URL and no secret.
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
  if (error instanceof McpFailure) return error;
  if (error instanceof ProtocolError) {
    const { code, message } = error;
    if (code === brokenOffCode)
      return new McpFailure(message.startsWith(itsAnswer) ? message : "the connection was lost");
    return new McpFailure(`it answers with the JSON-RPC error ${code}`, message);
  }
  const status = statusOf(error);
  if (status === 401 || status === 403)
    return new McpFailure(`it answers HTTP ${status}: check its credentials in MCP_FILE`);
  if (status === 404) return new McpFailure("it answers HTTP 404: check its URL in MCP_FILE");
  const grant = grantProblem(error);
  if (grant !== undefined) return new McpFailure(grant);
  return new McpFailure(status === undefined ? reasonOf(error) : `it answers HTTP ${status}`);
}

/** Describes why an authorization server gave no token. Its error code is the only text of it. */
function grantProblem(error: unknown): string | undefined {
  if (error instanceof OAuthClientFlowError)
    return error instanceof InsecureTokenEndpointError
      ? "its token endpoint is not https:"
      : "it names another authorization server than `issuer` in MCP_FILE";
  if (!(error instanceof OAuthError)) return undefined;
  const code = /^[a-z_]{1,60}$/.test(error.code) ? error.code : "an error";
  return `its authorization server answers ${code}: check \`oauth\` in MCP_FILE`;
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof InsufficientScopeError) return 403;
  const status = error instanceof SdkHttpError ? error.status : undefined;
  return status !== undefined && status >= 400 ? status : undefined;
}

const noMcp = "its answer is not that of an MCP server";

/** Describes why a request got no answer, by the innermost cause. */
function reasonOf(error: unknown): string {
  const { cause, code, name, message } = error as Readonly<Record<string, unknown>>;
  if (cause !== undefined) return reasonOf(cause);
  if (message === tooLargeText) return tooLargeText;
  if (message === "terminated") return "the connection was lost";
  // Its message names the secret or address and says what to do.
  if (name === "AgentFailure") return String(message);
  if (message === "unexpected redirect") return "it redirects to another URL: use that URL";
  if (error instanceof SdkError) return code === SdkErrorCode.ConnectionClosed ? "the connection was lost" : noMcp;
  return typeof code === "string" && /^E[A-Z]+$|^UND_ERR_/.test(code) ? `it can't be reached (${code})` : noMcp;
}
