import { setTimeout } from "node:timers/promises";
import type { Backoff } from "@crosszone/service-kit/timing";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";

export interface RefusedRetryOptions {
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

/**
 * The exceptions of `InvokeAgentRuntime`, by AWS name.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html#API_InvokeAgentRuntime_Errors
 */
export const refusalNames = [
  "AccessDeniedException",
  "InternalServerException",
  "ResourceNotFoundException",
  "RetryableConflictException",
  "RuntimeClientError",
  "ServiceQuotaExceededException",
  "ThrottlingException",
  "ValidationException",
] as const;

type RefusalName = (typeof refusalNames)[number];

interface Verdict {
  readonly kind: LinkErrorKind;
  /** Which part retries the message. At most one part does. */
  readonly retriedBy: "transport" | "caller" | "none";
  /** For the log. */
  readonly means: string;
}

/** How each exception is handled. */
const verdicts = {
  AccessDeniedException: { kind: "unreachable", retriedBy: "none", means: "AWS denies access to this zone" },
  InternalServerException: { kind: "unreachable", retriedBy: "transport", means: "AgentCore failed" },
  ResourceNotFoundException: { kind: "unreachable", retriedBy: "none", means: "the runtime does not exist" },
  RetryableConflictException: { kind: "unreachable", retriedBy: "transport", means: "the session is in transition" },
  RuntimeClientError: { kind: "server_error", retriedBy: "none", means: "the container failed" },
  ServiceQuotaExceededException: { kind: "unreachable", retriedBy: "none", means: "an AWS quota is exceeded" },
  ThrottlingException: { kind: "unreachable", retriedBy: "transport", means: "AgentCore is throttling requests" },
  ValidationException: { kind: "unreachable", retriedBy: "none", means: "AgentCore rejects the request" },
} satisfies Record<RefusalName, Verdict>;

/** For errors without a known name: from an intermediary, or a later AWS version. */
const nameByStatus: Readonly<Record<number, RefusalName>> = {
  400: "ValidationException",
  401: "AccessDeniedException",
  402: "ServiceQuotaExceededException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  409: "RetryableConflictException",
  424: "RuntimeClientError",
  429: "ThrottlingException",
  500: "InternalServerException",
};

const otherVerdicts: Readonly<Record<number, Verdict>> = {
  502: { kind: "unreachable", retriedBy: "caller", means: "a gateway failed" },
  503: { kind: "unreachable", retriedBy: "caller", means: "AgentCore is not available" },
  504: { kind: "timeout", retriedBy: "caller", means: "a gateway timed out" },
};

/** A refusal from AWS. */
export interface Refusal {
  readonly error: LinkError;
  readonly retriedBy: Verdict["retriedBy"];
}

/** Reads the SDK's error; undefined without a response from AWS. */
export function readRefusal(thrown: unknown): Refusal | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { $metadata, $response } = thrown as Thrown;
  const httpStatus = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (httpStatus === undefined) return undefined;
  const name = isRefusalName(thrown.name) ? thrown.name : nameByStatus[httpStatus];
  const { kind, retriedBy, means } = (name === undefined ? undefined : verdicts[name]) ??
    otherVerdicts[httpStatus] ?? {
      kind: "invalid_response",
      retriedBy: "none",
      means: "an unknown response",
    };
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

function isRefusalName(name: string): name is RefusalName {
  return Object.hasOwn(verdicts, name);
}

/**
 * Returns the loggable part of an AWS error. The error itself contains the whole exchange. For a wrong signature, the text after the first
 * line is the signed request, with the session token.
 */
function tellable({ name, message }: Error, requestId = "unknown"): Error {
  const [line = ""] = message.split("\n", 1);
  return new Error(`${name}: ${line} (AWS request id ${requestId})`);
}
