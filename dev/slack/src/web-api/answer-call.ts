import type { EventPublisher } from "../events/event-dispatcher.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { BotTokens } from "./bot-tokens.ts";
import { requireScope } from "./channels.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { type ParsedRequest, requestArguments, type WebApiRequest } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import type { Answer, CallContext, WebMethod } from "./web-method.ts";
import { AGENT_METHODS } from "./agent-methods.ts";
import { CHAT_CHANGE_METHODS, CHAT_POST_METHODS } from "./chat-methods.ts";
import { CONNECTION_METHODS } from "./connection-methods.ts";
import { CONVERSATION_METHODS } from "./conversation-methods.ts";
import { DIRECTORY_METHODS } from "./directory-methods.ts";
import { FILE_METHODS } from "./file-methods.ts";
import { STREAM_METHODS } from "./stream-methods.ts";
import { USER_GROUP_METHODS } from "./user-group-methods.ts";
import { VIEW_METHODS } from "./view-methods.ts";

/** The parts that the Web API uses. */
export interface WebApiParts {
  state: WorkspaceState;
  events: EventPublisher;
  limiter: RateLimiter;
  botTokens: BotTokens;
  appToken: string;
  scopes: readonly string[];
  openSocketUrl: () => string;
  /** See `CallContext`. Default: true. */
  sharesUploads?: boolean;
}

/** The response to one call. */
export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** The arguments, for the traffic record. */
  args: unknown;
}

/**
 * Answers one call with Slack's order of checks: method, format of arguments, token, scope, rate, arguments, the method itself. Refusals
 * have HTTP status 200 and `ok: false`, except rate limits, which have 429 and `Retry-After`.
 */
export async function answerCall(name: string, request: WebApiRequest, parts: WebApiParts): Promise<CallAnswer> {
  let parsed: ParsedRequest = { args: {}, token: undefined, warnings: [] };
  const answer = (body: Record<string, unknown>, status = 200, headers: Record<string, string> = {}): CallAnswer => ({
    status,
    headers,
    body: withWarnings(body, parsed.warnings),
    args: parsed.args,
  });
  try {
    const method = METHOD_TABLE.get(name);
    if (!method) return answer({ ok: false, error: "unknown_method", req_method: name });
    parsed = await requestArguments(request);
    const context = callContext(method, parsed, { request, parts });
    requireScope(context, method.scopes);
    const tier = parts.state.directory.workspace.app.unlisted ? method.unlisted : method.tier;
    const wait = parts.limiter.take(tier, rateKey(method, parsed.args));
    if (wait > 0) return answer({ ok: false, error: "ratelimited" }, 429, { "retry-after": String(wait) });
    return answer({ ok: true, ...method.call(context, parsed.args) });
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return answer({ ok: false, error: error.code, ...error.members });
  }
}

function callContext(
  method: WebMethod,
  { token, warnings }: ParsedRequest,
  { request, parts }: { request: WebApiRequest; parts: WebApiParts },
): CallContext {
  return {
    state: parts.state,
    events: parts.events,
    scopes: parts.scopes,
    httpMethod: request.httpMethod,
    token: checkToken(method, token, parts),
    revoke: () => parts.botTokens.revoke(token ?? ""),
    warn: (warning) => warnings.push(warning),
    sharesUploads: parts.sharesUploads ?? true,
    openSocketUrl: parts.openSocketUrl,
  };
}

function checkToken(
  method: WebMethod,
  token: string | undefined,
  { botTokens, appToken }: WebApiParts,
): CallContext["token"] {
  if (token === undefined || token === "") throw new SlackError("not_authed");
  const state = token === appToken ? "good" : botTokens.stateOf(token);
  if (state !== "good") throw new SlackError(state);
  const kind = token === appToken ? "app" : "bot";
  if (method.token !== "any" && method.token !== kind) throw new SlackError("not_allowed_token_type");
  return kind;
}

function rateKey({ name, tier }: WebMethod, args: Answer): string {
  return tier === "post_message" ? `${name} ${String(args["channel"])}` : name;
}

/** Slack lists warnings twice: joined in `warning`, and as a list in `response_metadata`. */
function withWarnings(body: Record<string, unknown>, warnings: readonly string[]): Record<string, unknown> {
  if (warnings.length === 0) return body;
  const metadata = body["response_metadata"];
  return {
    ...body,
    warning: warnings.join(","),
    response_metadata: { ...(typeof metadata === "object" && metadata), warnings },
  };
}

/** Every Web API method of the local Slack, by name; all others are `unknown_method`. */
const METHOD_TABLE: ReadonlyMap<string, WebMethod> = new Map(
  [
    ...AGENT_METHODS,
    ...CHAT_CHANGE_METHODS,
    ...CHAT_POST_METHODS,
    ...CONNECTION_METHODS,
    ...CONVERSATION_METHODS,
    ...DIRECTORY_METHODS,
    ...FILE_METHODS,
    ...STREAM_METHODS,
    ...USER_GROUP_METHODS,
    ...VIEW_METHODS,
  ].map((method) => [method.name, method]),
);
