import { ZoneError } from "@crosszone/contracts";
import { type JsonObject, plainJson } from "@crosszone/service-kit/json";
import { readRetryAfter } from "@crosszone/service-kit/timing";
import { AssistantError, type FailureReason } from "../failure.ts";
import { findError, membersOf, type ProviderError, safeSentence, stringIn } from "../models/provider-error.ts";
import { refusalsOfTools, withoutRefusedTools } from "./refusals.ts";
import type { ModelCallOptions } from "./stream-call.ts";

/**
 * The parameters that a call can do without, as providers name them; the likeliest first. The output limit gets OpenAI's
 * newer name when the error has it; else, or if that is refused, none is sent.
 */
const parameters: readonly (readonly [name: string, words: RegExp])[] = [
  ["stream_options", /stream_options|include_usage/i],
  ["stream", /in streaming mode|while streaming|to stream\b/i],
  ["response_format", /response_?format|json_?schema|structured[ _-]?outputs?|output_(?:config|format)|\bgrammar\b/i],
  ["tool_choice", /tool[_ ]choice/i],
  ["tools", /(?<!\brole\W{1,3})\btools?\b(?![.[])|toolConfig|\bfunction[ _]?call|tool[_ ]choice/i],
  ["max_tokens", /max_?(?:output_)?tokens/i],
  ["max_completion_tokens", /max_?(?:output_|completion_)?tokens/i],
  ["stream", /\bstream(?:ing)?\b|ResponseStream/i],
  [
    "system",
    /\bsystem[ _](?:role|messages?|prompts?|instructions?)|developer (?:role|instruction)|roles must alternate/i,
  ],
];

const refusal =
  /unsupported|(?:not|n't|un|longer|that)[ -](?:be )?(?:support|allow|permit|implement|enabl|available|accept|recogni)|unknown|unrecogni[sz]ed|unexpected|extra(?:neous|_forbidden)|deprecated|requires? --|too (?:large|high|big)|must alternate|must be verified|not authorized to perform/i;

/** Returns the parameters that an error refuses by name. */
function refusedParameters({ message, type, param, code }: ProviderError): readonly string[] {
  // It quotes the call, and may say that a member of it is not allowed.
  if (badCallWords.test(`${message} ${type} ${code}`)) return [];
  const sentences = message.split(/(?<=[.!?])\s+/).filter((sentence) => refusal.test(sentence));
  const named = refusal.test(`${message} ${code}`) ? [param, ...sentences] : [];
  const names = parameters.filter(([, words]) => named.some((text) => words.test(text))).map(([name]) => name);
  return names.filter((name) => name !== "max_tokens" || message.includes("max_completion_tokens"));
}

/** Returns the options without what the model refused. The wires leave out the others. */
export function withoutRefused(options: ModelCallOptions, refused: ReadonlySet<string>): ModelCallOptions {
  const { tools: given = [], ...left } = { ...options };
  if (refused.has("system")) left.prompt = withoutSystem(options.prompt);
  if (refused.has("tools") || refused.has("response_format")) delete left.responseFormat;
  const tools = refused.has("tools") ? [] : withoutRefusedTools(given, refused);
  if (tools.length === 0 || refused.has("tool_choice")) delete left.toolChoice;
  if (refused.has("max_completion_tokens")) delete left.maxOutputTokens;
  return tools.length === 0 ? left : { ...left, tools };
}

/** Returns a prompt for a model without a system role: the first message of the person begins with the instructions. */
function withoutSystem(prompt: ModelCallOptions["prompt"]): ModelCallOptions["prompt"] {
  const rules = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n\n");
  const [first, ...others] = prompt.filter(({ role }) => role !== "system");
  if (first?.role !== "user") return prompt;
  const [part, ...parts] = first.content;
  const isText = part?.type === "text";
  const text = `${rules}\n\n[End of the rules. The conversation follows.]\n\n${isText ? part.text : ""}`;
  return [
    { ...first, content: [{ type: "text", text }, ...(isText || part === undefined ? [] : [part]), ...parts] },
    ...others,
  ];
}

/**
 * Converts any error of a model call to an `AssistantError`. Unknown errors become `internal`. The provider may quote the
 * `prompt`; the error does not. `tools`: those of the call.
 */
export function classifyError(
  error: unknown,
  prompt: ModelCallOptions["prompt"] = [],
  tools?: ModelCallOptions["tools"],
): AssistantError {
  if (error instanceof AssistantError) return error;
  const read = readError(error);
  const { said, retryAfterMs } = read;
  const isAboutFile = isAboutRequest(read) && !lengthCodes.test(read.words);
  const file = said && isAboutFile ? refusedFileSentence(said, prompt) : undefined;
  const reason = file === undefined ? reasonOf(read) : "unsupported_file";
  const where = reason === "internal" ? framesOf(error) : "";
  const words = said === undefined ? "" : `: ${safeSentence(said.message, wordsOf(prompt))}`;
  const refusals = said === undefined ? [] : refusalsOfTools(said, tools, read.statusCode);
  const refuses = said === undefined || refusals.length > 0 ? refusals : refusedParameters(said);
  return new AssistantError(reason, describeError(read) + where + words, { retryAfterMs, refuses, sentence: file });
}

/** What providers call a file, and the media types that they mean. */
const kinds: readonly (readonly [words: RegExp, media: RegExp])[] = [
  [/\bpdfs?\b/i, /pdf/],
  [/\b(?:images?|image_url|pictures?|vision)\b/i, /^image\//],
  [/\b(?:documents?|files?|file_data|attachments?|inline_?data|pages)\b/i, /./],
];

/** What is wrong with a file, and what its person can do. The first match counts. */
const faults: readonly (readonly [words: RegExp, sentence: (name: string) => string])[] = [
  [
    /password|encrypt|locked/i,
    (name) => `${name} is locked with a password. Remove it, or ask again without the file.`,
  ],
  [
    /(?:maximum|limit|at most|too many|exceed|more than).{0,40}\bpages|\bpages\b.{0,40}(?:maximum|limit|at most|exceed|more than)/i,
    (name) => `${name} has more pages than the model reads. Ask again with a part of it.`,
  ],
  [
    /too (?:large|big|small)|exceed|larger than|smaller than|maximum|at least|dimension/i,
    (name) => `The model doesn't read a file of this size: ${name}. Ask again with another size, or without it.`,
  ],
  [
    /invalid|not valid|corrupt|damaged|malformed|could(?: not|n't) (?:be )?(?:process|read|open|pars|decod|load)|(?:unable|failed) to|cannot|can't|no pages|empty|truncated/i,
    (name) => `The model can't open ${name}. It may be damaged: ask again with another copy, or without it.`,
  ],
  [/support|format|accept/i, (name) => `The model can't read ${name}. Ask again without it.`],
];

/** Says that it is about something else, although it may name a file. */
const otherSubject = /\b(?:tools?|functions?|schema)\b/i;

/** What would format a name in a message of Slack. */
const markup = /[_*`]/g;

/**
 * Returns the sentence for the person whose file a provider refuses, with the file's name; undefined when the provider speaks of something else or
 * the `prompt` has no such file.
 */
function refusedFileSentence(
  { message, param }: ProviderError,
  prompt: ModelCallOptions["prompt"],
): string | undefined {
  const words = `${param} ${message}`;
  const media = otherSubject.test(words) ? undefined : kinds.find(([known]) => known.test(words))?.[1];
  const sentence = faults.find(([known]) => known.test(message))?.[1];
  if (media === undefined || sentence === undefined) return undefined;
  const files = prompt.flatMap(({ role, content }) =>
    role !== "user" ? [] : content.flatMap((part, at) => (part.type === "file" ? [{ ...part, at }] : [])),
  );
  const like = files.filter(({ mediaType }) => media.test(mediaType));
  // Providers count the parts of a message: messages.0.content.1.pdf.
  const [, at] = /content\W{1,3}(\d+)/i.exec(words) ?? [];
  const named = like.filter((file) => at !== undefined && file.at === Number(at));
  const nameOf = (name: unknown): string => JSON.stringify(stringIn(name).replaceAll(markup, " ") || "a file");
  const names = (named.length > 0 ? named : like).map(({ filename }) => nameOf(filename));
  return names.length === 0 ? undefined : sentence([...new Set(names)].join(" or "));
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

/** How much of each text of a provider is searched for words, characters: some patterns look for a second word behind each first one. */
const mostWords = 10_000;

type Reasons = readonly (readonly [RegExp, FailureReason])[];

/** The account has to be paid or raised, whatever the status is. */
const quotaWords =
  /insufficient_quota|credit balance|billing_(?:error|hard_limit)|ServiceQuotaExceeded|arrear|overdue|good standing|insufficient (?:account )?balance|spend(?:ing)? limit|reached your (?:specified )?(?:API )?usage limit|余额不足|欠费/i;

/** The same, unless the provider says how long to wait: then it is a rate. */
const softQuotaWords = /current quota|quota.{0,20}exceeded|exceeded.{0,20}quota|usage limit/i;

/** The longest wait for a rate, milliseconds. */
const longestRateMs = 600_000;

/** The request is longer than the model, or a minute of the account, ever allows. */
const lengthCodes =
  /context_length_exceeded|exceed_context_size|request_too_large|prompt is too long|input is too long|too long to fit|maximum context length|request too large/i;

/** Other words for it. Less sure: a file, an output limit or a rate can be meant. */
const lengthWords =
  /context (?:length|window|size|limit)|max(?:imum)? context|maximum (?:number of )?tokens|maximum (?:model|prompt|input) length|too many (?:input )?tokens|range of input length|\b(?:prompt|inputs?|context|messages?|conversation|request|tokens?)\b.{0,80}(?:too (?:long|large|many|big)|exceed|longer than|larger than|greater than|less than|must have less|must be <=|(?:over|beyond|above) the)|exceed.{0,40}(?:token limit|max(?:imum)? length|input|context)|reduce the length|上下文|过长/is;

/** Returns whether a rate names a request that is larger than all of it: it would fail each time. */
function isOverRate(words: string): boolean {
  const [, ...found] = /\blimit:? ([\d,]+).*?\brequested:? ([\d,]+)/is.exec(words) ?? [];
  const [limit = 0, requested = 0] = found.map((count) => Number(count.replaceAll(",", "")));
  return requested > limit;
}

/** A model wrote a call of a tool that its provider can't read. */
const badCallWords =
  /tool_use_failed|failed_generation|failed to call a function|malformed_?function_?call|(?:pars\w+|invalid|malformed) (?:the )?(?:model'?s? )?(?:tool|function)[ _]call(?![_ ]id)/i;

/** What the words of a provider say, where its status or code says less. The first match counts. */
const reasonsByWords: Reasons = [
  [badCallWords, "bad_call"],
  [lengthCodes, "context_too_long"],
  [/rate.?limit|throttl|too many requests|overload|at capacity|resource.?exhausted|\bbusy\b/i, "overloaded"],
  [/api.?key|authentication|unauthorized|permission|access.?denied|forbidden/i, "invalid_key"],
  [/model.{0,80}(?:not found|not exist|n't exist|unknown|identifier)|(?:unknown|no such) model/is, "unknown_model"],
  [/(?:image|vision|pdf|document).{0,40}support|support.{0,20}(?:image|vision|pdf|document)/i, "unsupported_file"],
  [/content.?(?:filter|management|policy)|safety|moderation|flagged/i, "refused"],
  [lengthWords, "context_too_long"],
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

/** Whether a status may say that the request is wrong, and not the key. */
const isAboutRequest = ({ statusCode = 0 }: ReadError): boolean => vague.has(statusCode) && statusCode !== 403;

function reasonOf({ name, statusCode, isRetryable, words, said, retryAfterMs = Infinity }: ReadError): FailureReason {
  const status = statusCode ?? 0;
  if (status === 429 && (lengthCodes.test(words) || isOverRate(words))) return "context_too_long";
  if (quotaWords.test(words) || status === 402) return "quota";
  if (softQuotaWords.test(words)) return retryAfterMs > longestRateMs ? "quota" : "overloaded";
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
    retryAfterMs: retryAfterOf(
      headers,
      (stringIn(members["responseBody"]) || (said?.message ?? "")).slice(0, mostWords),
    ),
    /** The provider's message, to search for known codes. May quote the prompt: never log it. */
    words: [message, type, causeCode(members["cause"]), ...Object.values(said ?? {})]
      .map((text) => stringIn(text).slice(0, mostWords))
      .join("\n"),
  };
}

/** Returns what the provider says, not the SDK: the body of a failed request, or an error event. */
function saidBy({ name, statusCode, responseBody, message, ...rest }: JsonObject): ReturnType<typeof findError> {
  const body = stringIn(responseBody);
  const isEvent = name === undefined || name === "AI_StreamProviderError" || Number(statusCode) >= 400;
  if (body === "" || body.startsWith("<"))
    return isEvent && stringIn(message) !== "" ? findError({ error: { ...rest, message } }) : undefined;
  return findError(plainJson(body)) ?? findError({ error: body });
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

/** A wait in a body or a sentence: `"retryDelay": "6s"`, `Please try again in 1m2.5s`. */
const waitWords =
  /(?:retry_?(?:delay|after)["']?\s?[:=]\s?["']?|(?:retry|try again)[\w ]{0,20} (?:in|after) )((?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\s?)+)/i;

const unitMs = { ms: 1, mil: 1, m: 60_000, h: 3_600_000, s: 1_000 } as const;

/** Returns the wait that a provider requests, milliseconds: in its headers, or else in its words. */
function retryAfterOf(headers: JsonObject, words: string): number | undefined {
  const ms = Number(stringIn(headers["retry-after-ms"]) || Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.ceil(ms);
  const [, said = ""] = waitWords.exec(words) ?? [];
  const parts = [...said.matchAll(/(\d+(?:\.\d+)?)\s?(ms|mil|[hms])/gi)];
  const waitMs = parts.reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * unitMs[unit.toLowerCase() as "s"],
    0,
  );
  return readRetryAfter(headers, Date.now()) ?? (parts.length === 0 ? undefined : Math.ceil(waitMs));
}

/** The code of a socket error, such as `ECONNREFUSED`, which may be two causes deep. */
function causeCode(cause: unknown): string {
  const { code, cause: inner } = membersOf(cause);
  return stringIn(code) || (inner === undefined ? "" : causeCode(inner));
}
