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
export const itsAnswer = "its answer";

/** Error message of a response that is too large. */
export const tooLargeText: string = `${itsAnswer} is too large`;

/**
 * Why a server didn't answer. The message is for the operator. It contains no text of the server but pointers to values and the last lines of a
 * program, no URL and no secret.
 */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  /** The server's own message, when it refused a call. */
  readonly said: string | undefined;
  /** Whether the server no longer knows the session, and did nothing. */
  readonly endsSession: boolean;

  constructor(message: string, { said, endsSession = false }: { said?: string; endsSession?: boolean } = {}) {
    super(message);
    this.said = said;
    this.endsSession = endsSession;
  }
}

/** What servers say of a session that they have ended or forgotten. */
const endedSession =
  /session.{0,40}(?:not found|invalid|expired|unknown|terminated|closed|ended|exist)|(?:no|invalid|unknown|expired|missing)\b.{0,20}session|not initialized/i;

/** Codes of JSON-RPC with which servers refuse a session, before they look at the call. */
const sessionCodes: readonly number[] = [-32_000, -32_001, -32_600];

/**
 * Converts an error of the client. The client's own errors contain the server's whole response and must not be logged.
 */
export function mcpFailureOf(error: unknown): McpFailure {
  if (error instanceof McpFailure) return error;
  if (error instanceof ProtocolError) {
    const { code, message } = error;
    if (code === brokenOffCode)
      return new McpFailure(message.startsWith(itsAnswer) ? message : "the connection was lost");
    const endsSession = sessionCodes.includes(code) && endedSession.test(message);
    return new McpFailure(`it answers with the JSON-RPC error ${code}`, { said: message, endsSession });
  }
  const status = statusOf(error);
  const text = error instanceof SdkHttpError ? JSON.stringify(error.data) : "";
  if (status === 401 || status === 403)
    return new McpFailure(`it answers HTTP ${status}: check its credentials in the settings`);
  if (status === 404)
    return new McpFailure("it answers HTTP 404: check its URL in the settings", {
      endsSession: true,
    });
  const grant = grantProblem(error);
  if (grant !== undefined) return new McpFailure(grant);
  if (status === undefined) return new McpFailure(reasonOf(error));
  return new McpFailure(`it answers HTTP ${status}`, { endsSession: status === 400 && endedSession.test(text) });
}

/** Converts the error of a program that did not start. */
export function startFailureOf(error: NodeJS.ErrnoException): McpFailure {
  const { code = error.name } = error;
  return new McpFailure(`its program can't be started (${code}): check command and cwd in the settings`);
}

/** Describes why an authorization server gave no token. Its error code is the only text of it. */
function grantProblem(error: unknown): string | undefined {
  if (error instanceof OAuthClientFlowError)
    return error instanceof InsecureTokenEndpointError
      ? "its token endpoint is not https:"
      : "it names another authorization server than `issuer` in the settings";
  if (!(error instanceof OAuthError)) return undefined;
  const code = /^[a-z_]{1,60}$/.test(error.code) ? error.code : "an error";
  return `its authorization server answers ${code}: check \`oauth\` in the settings`;
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
