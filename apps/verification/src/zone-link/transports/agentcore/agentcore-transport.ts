import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import {
  BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  type InvokeAgentRuntimeCommandOutput,
} from "@aws-sdk/client-bedrock-agentcore";
import { LinkError, type SendOptions, type Transport } from "@crosszone/jsonrpc";
import { type Emit, isReadableOnTheWay } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import { unlessAborted } from "@crosszone/service-kit/timing";
import { type LinkSettings, readRuntimeArn } from "../../link-variables.ts";
import { acceptOf, readAnswer, sendInTime } from "../exchange.ts";
import { type RefusedRetry, retryRefused } from "./platform-refusals.ts";

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
  if (endpoint !== undefined && isReadableOnTheWay(endpoint))
    throw new TypeError("the transport requires https: for hosts other than this machine");
  const agent = { keepAlive: true, maxSockets: mostConnections };
  const client = new BedrockAgentCoreClient({
    region,
    endpoint,
    // platform-refusals.ts defines who retries a message; the SDK does not.
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
        retryRefused(() => invoke(message, sending, signal), {
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
  const answer = await readAnswer(body, { isStream: !isJson, maxBytes, onNotification, httpStatus });
  if (answer.length === 0) throw refuse("an empty answer");
  return answer;
}
