import { ZoneError } from "@crosszone/contracts";
import { generateText } from "ai";
import { AssistantError, type FailureReason } from "../failure.ts";
import type { OpenModel } from "../models/open-model.ts";

/** Converts any error of a model call to an `AssistantError`. Unknown errors become `internal`. */
export function classifyError(error: unknown): AssistantError {
  if (error instanceof AssistantError) return error;
  const read = readError(error);
  const reason = reasonOf(read);
  const where = reason === "internal" ? framesOf(error) : "";
  return new AssistantError(reason, describeError(read) + where, { retryAfterMs: read.retryAfterMs });
}

/** Returns the origin of an unknown error without its message, which may quote the prompt. */
function framesOf(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line)) : [];
  return frames.slice(0, 3).join("");
}

/** Failures that a retry may fix. */
const transient: ReadonlySet<FailureReason> = new Set([
  "overloaded",
  "unreachable",
  "unavailable",
  "silent",
  "interrupted",
]);

/** Returns whether a retry of the same call may succeed. */
export const isTransient = ({ reason }: AssistantError): boolean => transient.has(reason);

const quotaWords =
  /insufficient_quota|exceeded your current quota|credit balance|billing_error|billing_hard_limit|ServiceQuotaExceeded/i;
const lengthWords =
  /context_length_exceeded|context length|context window|context size|prompt is too long|input is too long|too many (?:input )?tokens|maximum (?:number of )?tokens/i;

function reasonOf(error: ReadError): FailureReason {
  const { name, statusCode, words } = error;
  if (quotaWords.test(words) || statusCode === 402) return "quota";
  if (statusCode !== undefined && statusCode >= 400) return reasonOfStatus(statusCode, words);
  return byName[name] ?? reasonOfBreak(error);
}

function reasonOfStatus(status: number, words: string): FailureReason {
  if (status === 401 || status === 403) return "invalid_key";
  if (status === 404) return "unknown_model";
  if (status === 413 || ((status === 400 || status === 422) && lengthWords.test(words))) return "context_too_long";
  if (status === 429 || status === 529 || status === 503) return "overloaded";
  return status === 408 || status === 409 || status === 424 || status >= 500 ? "unavailable" : "rejected";
}

const byName: Readonly<Record<string, FailureReason | undefined>> = {
  AI_LoadAPIKeyError: "invalid_key",
  AI_LoadSettingError: "invalid_key",
  AI_NoSuchModelError: "unknown_model",
  AI_UnsupportedFunctionalityError: "unsupported_file",
  AI_DownloadError: "unsupported_file",
  AI_NoOutputGeneratedError: "interrupted",
  AI_EmptyResponseBodyError: "interrupted",
  AI_InvalidResponseDataError: "interrupted",
  AI_JSONParseError: "interrupted",
  AI_StreamProviderError: "unavailable",
  // Tools are disallowed only in the last step.
  AI_ToolChoiceViolationError: "step_limit",
  TimeoutError: "silent",
};

/**
 * A lost connection has no class of its own: `TypeError: terminated`, a plain `Error` of a frame, or a status of 200.
 */
function reasonOfBreak({ name, statusCode, isRetryable, words }: ReadError): FailureReason {
  if (/AWS (?:credential|SigV4)|Could not load credentials|CredentialsProviderError/i.test(`${name} ${words}`))
    return "invalid_key";
  if (statusCode !== undefined) return "interrupted";
  if (/terminated|event-stream frame|aborted|other side closed|UND_ERR_SOCKET/i.test(words)) return "interrupted";
  if (name === "AI_APICallError" && isRetryable === true) return "unreachable";
  return /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT/i.test(words) ? "unreachable" : "internal";
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

/** The smallest output limit that every provider accepts, tokens. */
const fewTokens = 16;

/** Timeout of the call, milliseconds. */
const timeoutMs = 15_000;

/** Asks a model for one word. Returns why it did not answer; undefined when it did. */
export async function tryModel({ model }: OpenModel): Promise<AssistantError | undefined> {
  try {
    await generateText({
      model,
      prompt: "Answer with the word ok.",
      maxOutputTokens: fewTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
    });
    return undefined;
  } catch (error) {
    return classifyError(error);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The safe facts about a provider package's error, independent of its class. */
type ReadError = ReturnType<typeof readError>;

/** Reads an error; of an error that collects several attempts, the last one. */
function readError(error: unknown) {
  const outer = membersOf(error);
  const isCollected = outer["name"] === "AI_RetryError" && outer["lastError"] !== undefined;
  const members = isCollected ? membersOf(outer["lastError"]) : outer;
  const headers = membersOf(members["responseHeaders"]);
  const { statusCode, isRetryable, type } = members;
  return {
    name: textOf(members["name"]) || "unknown",
    statusCode: typeof statusCode === "number" ? statusCode : undefined,
    isRetryable: typeof isRetryable === "boolean" ? isRetryable : undefined,
    requestId: requestIdOf(headers),
    retryAfterMs: retryAfterOf(headers),
    /** The provider's message, to search for known codes. May quote the prompt: never log it. */
    words: [members["message"], members["responseBody"], type, causeCode(members["cause"])].map(textOf).join("\n"),
  };
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

function requestIdOf(headers: Members): string | undefined {
  const found = requestIds.map((name) => textOf(headers[name])).find((id) => id !== "");
  return found === undefined || !/^[\w-]{1,128}$/.test(found) ? undefined : found;
}

function retryAfterOf(headers: Members): number | undefined {
  const ms = Number(textOf(headers["retry-after-ms"]) || Number.NaN);
  const seconds = Number(textOf(headers["retry-after"]) || Number.NaN);
  const wait = Number.isFinite(ms) ? ms : seconds * 1_000;
  return Number.isFinite(wait) && wait >= 0 ? Math.ceil(wait) : undefined;
}

/** The code of a socket error, such as `ECONNREFUSED`, which may be two causes deep. */
function causeCode(cause: unknown): string {
  const { code, cause: inner } = membersOf(cause);
  return textOf(code) || (inner === undefined ? "" : causeCode(inner));
}

const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
