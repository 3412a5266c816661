import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import {
  BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  type InvokeAgentRuntimeCommandOutput,
} from "@aws-sdk/client-bedrock-agentcore";
import { LinkError, type LinkErrorKind, type SendOptions, type Transport } from "@crosszone/jsonrpc";
import { type Emit, isReadableOnTheWay } from "@crosszone/service-kit";
import { proxyEnv } from "@crosszone/service-kit/outgoing";
import { type Backoff, unlessAborted } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { acceptOf, readLinkAnswer, sendInTime } from "./https-transport.ts";
import { type LinkSettings, readRuntimeArn } from "./link-variables.ts";

/** A refusal that is about to be retried. */
interface RefusedRetry {
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
 * these refusals; the error that it gives up with is not retryable. Other errors are thrown at once. No new attempt starts later than
 * `budgetMs` after the first one.
 */
export async function retryPlatformRefusals<T>(
  call: () => Promise<T>,
  options: Backoff & {
    readonly budgetMs: number;
    readonly signal: AbortSignal;
    readonly onRetry?: (repeat: RefusedRetry) => void;
  },
): Promise<T> {
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

/** Reads the SDK's error; undefined without a response from AWS. */
export function readRefusal(thrown: unknown) {
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

/** Makes the configured AgentCore transport. */
export function connectAgentCore(
  settings: LinkSettings & { readonly EXECUTION_RETRY_BUDGET_MS: number },
  emit: Emit<VerificationEvent>,
): Transport {
  const { EXECUTION_URL: arn, AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: endpoint } = settings;
  return createAgentCoreTransport({
    arn,
    endpoint,
    retryBudgetMs: settings.EXECUTION_RETRY_BUDGET_MS,
    onRetry: ({ error: failure, attempt, waitMs, correlationId: correlation_id }) =>
      emit("call_repeated", { correlation_id, failure, attempt, wait_ms: Math.round(waitMs) }),
  });
}

/**
 * Returns AgentCore's session id: 33 to 256 characters, equal for all calls that must reach the same micro-VM. A session of valid length,
 * such as a UUID, is used unchanged; any other is replaced by its SHA-256 in hex.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-sessions.html
 */
function runtimeSessionId(session: string): string {
  if (/^[A-Za-z0-9][\w-]{32,255}$/.test(session)) return session;
  return createHash("sha256").update(session).digest("hex");
}

export interface AgentCoreTransportOptions {
  /** The ARN of a runtime, or of an endpoint of it. */
  readonly arn: string;
  /** Replaces AWS's own URL. `http:` only on this machine. */
  readonly endpoint?: string;
  /** How long a message that the platform refuses is retried, milliseconds; bounded by the call's timeout. */
  readonly retryBudgetMs: number;
  /** Maximum pause after the first refusal, milliseconds. Default 200. */
  readonly firstPauseMs?: number;
  /** Called for each retried message. */
  readonly onRetry?: (repeat: RefusedRetry & { readonly correlationId: string }) => void;
  /** Maximum size of a response, bytes; of a stream, the maximum size of an event. Default 4 MB. */
  readonly maxBytes?: number;
}

/** Maximum number of open connections. Each long poll uses one. */
const mostConnections = 128;

/**
 * Makes a transport that sends messages as payloads of `InvokeAgentRuntime`, signed by the AWS SDK with its default credentials. A call's
 * session becomes the runtime's session, so a task and its polls reach one micro-VM. AgentCore strips custom headers, so the correlation id
 * is sent as W3C baggage. Throws a `TypeError` if the ARN is invalid or the endpoint is unsafe.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html
 */
export function createAgentCoreTransport(options: AgentCoreTransportOptions): Transport {
  const { endpoint } = options;
  const { region, runtimeArn, qualifier } = readRuntimeArn(options.arn);
  const { retryBudgetMs, firstPauseMs = 200, onRetry, maxBytes = 4 * 1024 * 1024 } = options;
  if (isReadableOnTheWay(endpoint))
    throw new TypeError("the transport requires https: for hosts other than this machine");
  const agent = { keepAlive: true, maxSockets: mostConnections, proxyEnv: proxyEnv() };
  const client = new BedrockAgentCoreClient({
    region,
    endpoint,
    // `retryPlatformRefusals` retries a message; the SDK does not.
    maxAttempts: 1,
    // The whole call has its own timeout; a socket timeout would cut long polls.
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 0,
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  let closed = false;

  async function invoke(payload: Uint8Array, sending: SendOptions, signal: AbortSignal): Promise<Uint8Array> {
    const { session, correlationId, traceparent, onNotification } = sending;
    const command = new InvokeAgentRuntimeCommand({
      agentRuntimeArn: runtimeArn,
      payload,
      contentType: "application/json",
      accept: acceptOf(sending),
      runtimeSessionId: runtimeSessionId(session),
      baggage: `correlation_id=${encodeURIComponent(correlationId)}`,
      qualifier,
      traceParent: traceparent,
    });
    // The SDK fetches credentials before it checks the signal.
    const output = await unlessAborted(client.send(command, { abortSignal: signal }), signal);
    return readOutput(output, maxBytes, onNotification);
  }

  return {
    send: async (message, sending) => {
      if (closed) throw new LinkError("unreachable", "the transport is closed");
      return sendInTime(sending, (signal) =>
        retryPlatformRefusals(() => invoke(message, sending, signal), {
          budgetMs: Math.min(retryBudgetMs, sending.timeoutMs),
          firstMs: firstPauseMs,
          longestMs: 5_000,
          signal,
          onRetry: onRetry && ((repeat) => onRetry({ ...repeat, correlationId: sending.correlationId })),
        }),
      );
    },
    close: async () => {
      closed = true;
      client.destroy();
    },
  };
}

/** Returns a JSON response, or the response at the end of an event stream. */
async function readOutput(
  { contentType = "", response, statusCode: httpStatus }: InvokeAgentRuntimeCommandOutput,
  maxBytes: number,
  onNotification: SendOptions["onNotification"],
): Promise<Uint8Array> {
  const refuse = (why: string): LinkError => new LinkError("invalid_response", why, { httpStatus });
  const isJson = /^application\/json\s*(;|$)/i.test(contentType);
  const isStream = /^text\/event-stream\s*(;|$)/i.test(contentType);
  // In Node, the SDK returns the response of node:http itself.
  const body = response as unknown as Readable | undefined;
  if (body === undefined) throw refuse("an answer without a body");
  if (!isJson && !isStream) {
    body.destroy();
    throw refuse("neither JSON nor a stream of events");
  }
  const answer = await readLinkAnswer(body, { isStream: !isJson, maxBytes, onNotification, httpStatus });
  if (answer.length === 0) throw refuse("an empty answer");
  return answer;
}
