import { setTimeout } from "node:timers/promises";
import type { Backoff } from "@crosszone/service-kit/timing";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";

interface RefusedRetryOptions {
  /** No new attempt starts later than this after the first one, milliseconds. */
  readonly budgetMs: number;
  /** Maximum pause after the first refusal, milliseconds; it doubles with each refusal. */
  readonly firstMs: number;
  readonly longestMs: number;
  readonly signal: AbortSignal;
  readonly onRetry?: (repeat: RefusedRetry) => void;
}

/** A refusal that is about to be retried. */
export interface RefusedRetry {
  readonly error: LinkError;
  /** The number of the next attempt, from 2. */
  readonly attempt: number;
  readonly waitMs: number;
}

/**
 * Returns a random pause between zero and a limit that doubles, milliseconds. The full range spreads out clients that were refused
 * together. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitterMs(refusals: number, { firstMs, longestMs }: Backoff): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (refusals - 1));
}

/**
 * Retries a call while the platform refuses it temporarily: throttling, a conflict, or an internal failure. Only this function retries
 * these refusals; the error that it gives up with is not retryable. Other errors are thrown at once.
 */
export async function retryRefused<T>(call: () => Promise<T>, options: RefusedRetryOptions): Promise<T> {
  const startedAt = performance.now();
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await call();
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (refusal === undefined) throw thrown;
      const waitMs = fullJitterMs(refusals, options);
      const over = performance.now() - startedAt + waitMs > options.budgetMs;
      if (refusal.retriedBy !== "transport" || over) throw refusal.error;
      options.onRetry?.({ error: refusal.error, attempt: refusals + 1, waitMs });
      await setTimeout(waitMs, undefined, { signal: options.signal });
    }
  }
}

/** How a refusal is handled: its status, which part of the zone retries the message, and what it means, for the log. */
type Verdict = readonly [
  httpStatus: number,
  kind: LinkErrorKind,
  retriedBy: "transport" | "caller" | "none",
  means: string,
];

/**
 * The exceptions of `InvokeAgentRuntime`, by AWS name.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html#API_InvokeAgentRuntime_Errors
 */
export const platformExceptions: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ["AccessDeniedException", [403, "unreachable", "none", "AWS denies access to this zone"]],
  ["InternalServerException", [500, "unreachable", "transport", "AgentCore failed"]],
  ["ResourceNotFoundException", [404, "unreachable", "none", "the runtime does not exist"]],
  ["RetryableConflictException", [409, "unreachable", "transport", "the session is in transition"]],
  ["RuntimeClientError", [424, "server_error", "none", "the container failed"]],
  ["ServiceQuotaExceededException", [402, "unreachable", "none", "an AWS quota is exceeded"]],
  ["ThrottlingException", [429, "unreachable", "transport", "AgentCore is throttling requests"]],
  ["ValidationException", [400, "unreachable", "none", "AgentCore rejects the request"]],
]);

/** For errors without a known name: from an intermediary, or a later AWS version. */
const verdicts: readonly Verdict[] = [
  ...platformExceptions.values(),
  [401, "unreachable", "none", "AWS denies access to this zone"],
  [502, "unreachable", "caller", "a gateway failed"],
  [503, "unreachable", "caller", "AgentCore is not available"],
  [504, "timeout", "caller", "a gateway timed out"],
];

/** A refusal from AWS. */
interface Refusal {
  readonly error: LinkError;
  readonly retriedBy: Verdict[2];
}

/** Reads the SDK's error; undefined without a response from AWS. */
export function readRefusal(thrown: unknown): Refusal | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { $metadata, $response } = thrown as Thrown;
  const httpStatus = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (httpStatus === undefined) return undefined;
  const verdict = platformExceptions.get(thrown.name) ?? verdicts.find(([status]) => status === httpStatus);
  const [, kind, retriedBy, means] =
    verdict ?? ([httpStatus, "invalid_response", "none", "an unknown response"] as const);
  const error = new LinkError(kind, `HTTP ${httpStatus}: ${means}`, {
    httpStatus,
    retryable: retriedBy === "caller",
    cause: tellable(thrown, $metadata?.requestId),
  });
  return { error, retriedBy };
}

interface Thrown {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly $response?: { readonly statusCode?: number };
}

/**
 * Returns the loggable part of an AWS error. The error itself contains the whole exchange. For a wrong signature, the text after the first
 * line is the signed request, with the session token.
 */
function tellable({ name, message }: Error, requestId = "unknown"): Error {
  const [line = ""] = message.split("\n", 1);
  return new Error(`${name}: ${line} (AWS request id ${requestId})`);
}
