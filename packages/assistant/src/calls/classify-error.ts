import type { JsonObject } from "@crosszone/service-kit/json";
import { ZoneError } from "@crosszone/contracts";
import { AssistantError, type FailureReason } from "../failure.ts";
import { findError, membersOf, type ProviderError, safeSentence, stringIn } from "../models/provider-error.ts";
import type { ModelCallOptions } from "./stream-call.ts";

/**
 * The parameters that a call can do without, as providers name them; the likeliest first. The output limit gets OpenAI's
 * newer name when the error has it; else, or if that is refused, none is sent.
 */
const parameters: readonly (readonly [name: string, words: RegExp])[] = [
  ["stream_options", /stream_options|include_usage/i],
  ["tool_choice", /tool[_ ]choice/i],
  ["tools", /(?<!\brole\W{1,3})\btools?\b(?![.[])|toolConfig|\bfunction[ _]?call|tool[_ ]choice/i],
  ["max_tokens", /max_?(?:output_)?tokens/i],
  ["max_completion_tokens", /max_?(?:output_|completion_)?tokens/i],
  ["stream", /\bstream(?:ing)?\b/i],
];

const refusal =
  /unsupported|(?:not|n't|un|longer|that)[ -](?:be )?(?:support|allow|permit|implement|enabl|available|accept|recogni)|unknown|unrecogni[sz]ed|unexpected|extra(?:neous|_forbidden)|deprecated|requires? --|too (?:large|high|big)/i;

/** Returns the parameters that an error refuses by name. */
function refusedParameters({ message, param, code }: ProviderError): readonly string[] {
  const sentences = message.split(/(?<=[.!?])\s+/).filter((sentence) => refusal.test(sentence));
  const named = refusal.test(`${message} ${code}`) ? [param, ...sentences] : [];
  const names = parameters.filter(([, words]) => named.some((text) => words.test(text))).map(([name]) => name);
  return names.filter((name) => name !== "max_tokens" || message.includes("max_completion_tokens"));
}

/** Returns the options without what the model refused. The OpenAI-compatible wire leaves out the others. */
export function withoutRefused(options: ModelCallOptions, refused: ReadonlySet<string>): ModelCallOptions {
  const left = { ...options };
  if (refused.has("tools")) delete left.tools;
  if (refused.has("tools") || refused.has("tool_choice")) delete left.toolChoice;
  if (refused.has("max_completion_tokens")) delete left.maxOutputTokens;
  return left;
}

/**
 * Converts any error of a model call to an `AssistantError`. Unknown errors become `internal`. The provider may quote the
 * `prompt`; the error does not.
 */
export function classifyError(error: unknown, prompt: ModelCallOptions["prompt"] = []): AssistantError {
  if (error instanceof AssistantError) return error;
  const read = readError(error);
  const reason = reasonOf(read);
  const { said, retryAfterMs } = read;
  const where = reason === "internal" ? framesOf(error) : "";
  const sentence = said === undefined ? "" : `: ${safeSentence(said.message, wordsOf(prompt))}`;
  const refuses = said === undefined ? [] : refusedParameters(said);
  return new AssistantError(reason, describeError(read) + where + sentence, { retryAfterMs, refuses });
}

/** Returns what people, files and tools say in a prompt. */
function wordsOf(prompt: ModelCallOptions["prompt"]): string {
  const parts = prompt.flatMap<object>(({ role, content }) => (role === "system" ? [] : content));
  return parts
    .map((part) => ("data" in part ? "" : JSON.stringify(part)))
    .join("\n")
    .replaceAll(/\\./g, " ");
}

/** Returns the origin of an unknown error without its message, which may quote the prompt. */
function framesOf(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line)) : [];
  return frames.slice(0, 3).join("");
}

type Reasons = readonly (readonly [RegExp, FailureReason])[];

const quotaWords =
  /insufficient_quota|exceeded your current quota|credit balance|billing_error|billing_hard_limit|ServiceQuotaExceeded/i;

/** What the words of a provider say, where its status or code says less. The first match counts. */
const reasonsByWords: Reasons = [
  [
    /context_length_exceeded|context length|context window|context size|prompt is too long|input is too long|too many (?:input )?tokens|maximum (?:number of )?tokens/i,
    "context_too_long",
  ],
  [/rate.?limit|throttl|too many requests|overload|at capacity|resource.?exhausted|\bbusy\b/i, "overloaded"],
  [/api.?key|authentication|unauthorized|permission|access.?denied|forbidden/i, "invalid_key"],
  [/model.{0,80}(?:not found|not exist|n't exist|unknown|identifier)|(?:unknown|no such) model/is, "unknown_model"],
  [/(?:image|vision|pdf|document).{0,40}support|support.{0,20}(?:image|vision|pdf|document)/i, "unsupported_file"],
  [/content.?(?:filter|management|policy)|safety|moderation|flagged/i, "refused"],
];

/** Statuses that some servers send for everything: what they say tells more. */
const vague: ReadonlySet<number> = new Set([0, 200, 400, 403, 404, 422, 500, 501, 502]);

const reasonsByStatus: Reasons = [
  [/40[13]/, "invalid_key"],
  [/404/, "unknown_model"],
  [/413/, "context_too_long"],
  [/429|503|529/, "overloaded"],
  [/408|409|424|5../, "unavailable"],
  [/4../, "rejected"],
];

/**
 * What a provider's package says in its name and words. A lost connection has no class of its own: `TypeError:
 * terminated`, a plain `Error` of a frame.
 */
const reasonsByName: Reasons = [
  [/^AI_Load|AWS (?:credential|SigV4)|Could not load credentials|CredentialsProviderError/i, "invalid_key"],
  [/^AI_NoSuchModelError/, "unknown_model"],
  [/^AI_(?:UnsupportedFunctionality|Download)Error/, "unsupported_file"],
  [/^AI_(?:NoOutputGenerated|EmptyResponseBody|InvalidResponseData|JSONParse)Error/, "interrupted"],
  [/^AI_StreamProviderError/, "unavailable"],
  // Tools are disallowed only in the last step.
  [/^AI_ToolChoiceViolationError/, "step_limit"],
  [/^TimeoutError/, "silent"],
  [/terminated|event-stream frame|aborted|other side closed|UND_ERR_SOCKET/i, "interrupted"],
];

const firstOf = (reasons: Reasons, text: string): FailureReason | undefined =>
  reasons.find(([known]) => known.test(text))?.[1];

function reasonOf({ name, statusCode, isRetryable, words, said }: ReadError): FailureReason {
  const status = statusCode ?? 0;
  if (quotaWords.test(words) || status === 402) return "quota";
  const saying = said && vague.has(status) ? firstOf(reasonsByWords, words) : undefined;
  const known = saying ?? firstOf(reasonsByStatus, String(status));
  if (known !== undefined) return known;
  if (said)
    return /invalid.?request|bad.?request|validation|unsupported|n[o'’]t support/i.test(words)
      ? "rejected"
      : "unavailable";
  const named = firstOf(reasonsByName, `${name}\n${words}`) ?? (statusCode === undefined ? undefined : "interrupted");
  if (named !== undefined) return named;
  const isUnreachable = name === "AI_APICallError" && isRetryable === true;
  return isUnreachable || /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT/i.test(words) ? "unreachable" : "internal";
}

/**
 * Returns a span's error type: the reason of a stop, a zone error's kind, or the reason of a model failure. Never a
 * message. https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/
 */
export function errorTypeOf(error: unknown, signal: AbortSignal | undefined): string {
  const isStopped = signal?.aborted === true;
  const thrown: unknown = isStopped ? signal.reason : error;
  if (thrown instanceof ZoneError) return thrown.kind;
  return isStopped ? "canceled" : classifyError(thrown).reason;
}

/** The safe facts about a provider package's error, independent of its class. */
type ReadError = ReturnType<typeof readError>;

function readError(error: unknown) {
  const members = membersOf(error);
  const headers = membersOf(members["responseHeaders"]);
  const { statusCode: status, isRetryable, type, message } = members;
  const said = saidBy(members);
  return {
    name: stringIn(members["name"]) || (said ? "error event" : "unknown"),
    statusCode: [status, Number(said?.code)].find((one): one is number => Number(one) >= 100 && Number(one) < 600),
    /** The provider's own words. */
    said,
    isRetryable: typeof isRetryable === "boolean" ? isRetryable : undefined,
    requestId: requestIdOf(headers),
    retryAfterMs: retryAfterOf(headers),
    /** The provider's message, to search for known codes. May quote the prompt: never log it. */
    words: [message, type, causeCode(members["cause"]), ...Object.values(said ?? {})].map(stringIn).join("\n"),
  };
}

/** Returns what the provider says, not the SDK: the body of a failed request, or an error event. */
function saidBy({ name, statusCode, responseBody, message, ...rest }: JsonObject): ReturnType<typeof findError> {
  const body = stringIn(responseBody);
  const isEvent = name === undefined || name === "AI_StreamProviderError" || Number(statusCode) >= 400;
  if (body === "" || body.startsWith("<"))
    return isEvent && stringIn(message) !== "" ? findError({ error: { ...rest, message } }) : undefined;
  try {
    return findError(JSON.parse(body)) ?? findError({ error: body });
  } catch {
    return findError({ error: body });
  }
}

/** Describes the kind of an error for the log, without its message. */
function describeError({ name, statusCode, isRetryable, requestId }: ReadError): string {
  const facts = [
    statusCode !== undefined && `status ${statusCode}`,
    isRetryable !== undefined && (isRetryable ? "retryable" : "not retryable"),
    requestId !== undefined && `request ${requestId}`,
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
}

const requestIds = ["request-id", "x-request-id", "x-amzn-requestid"];

function requestIdOf(headers: JsonObject): string | undefined {
  const found = requestIds.map((name) => stringIn(headers[name])).find((id) => id !== "");
  return found === undefined || !/^[\w-]{1,128}$/.test(found) ? undefined : found;
}

function retryAfterOf(headers: JsonObject): number | undefined {
  const ms = Number(stringIn(headers["retry-after-ms"]) || Number.NaN);
  const seconds = Number(stringIn(headers["retry-after"]) || Number.NaN);
  const wait = Number.isFinite(ms) ? ms : seconds * 1_000;
  return Number.isFinite(wait) && wait >= 0 ? Math.ceil(wait) : undefined;
}

/** The code of a socket error, such as `ECONNREFUSED`, which may be two causes deep. */
function causeCode(cause: unknown): string {
  const { code, cause: inner } = membersOf(cause);
  return stringIn(code) || (inner === undefined ? "" : causeCode(inner));
}
