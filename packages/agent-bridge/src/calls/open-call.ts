import { acceptsFile, type CardFacts } from "@crosszone/a2a";
import type { AgentErrorKind, AgentRecord, AgentTask, AgentTaskFile } from "@crosszone/contracts";
import type { HeldBytes, TokenBuckets } from "@crosszone/service-kit";
import type { Clock } from "@crosszone/service-kit/timing";
import type { AgentClient } from "../client/agent-client.ts";
import type { AgentCallIds, AgentExchange, AgentOperation, BridgeEmit } from "../protocol/agent-events.ts";
import { hitlUri } from "../protocol/hitl-extension.ts";
import {
  type AgentFailure,
  type AgentReply,
  type EndedReading,
  type ProtocolAdapter,
  ProtocolTranslationError,
  type Reading,
  type TranslationDirection,
} from "../protocol/protocol-adapter.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import type { Discovery } from "./discovery.ts";

/** Options of a call, besides its task and agent. */
export interface AgentCallOptions {
  /** Unix milliseconds, by this process's clock. */
  readonly deadlineAt: number;
  /**
   * Aborted with an `AgentFailure` when the task is canceled or past its deadline; the agent is then asked to stop, if
   * possible. With any other reason another process continues the task, and the agent is not asked to stop. The call rejects
   * with the reason.
   */
  readonly signal: AbortSignal;
  /** The agent's own id of the task, when another process started it: the agent is polled. */
  readonly remoteId?: string;
  /**
   * Stores the agent's own id of the task; resolves when durable. If it rejects, the call rejects with the same error.
   */
  readonly onRemoteId: (remoteId: string) => Promise<void>;
  /** Called with each new progress text of the agent. Must not throw. */
  readonly onProgress?: (text: string) => void;
  /** Called after each event of a stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: (artifacts: readonly unknown[]) => void;
  readonly traceparent?: string;
  /** How often the question was passed on with this call; once when absent. */
  readonly hops?: number;
  /** What the call holds in memory, until its end is stored. */
  readonly held?: HeldBytes;
}

export interface CallEnd {
  /** Null when it failed. */
  readonly output: unknown;
  readonly failure: AgentFailure | undefined;
  /** Requests that started the task, including the first; polls don't count. */
  readonly attempts: number;
  /** Names of the files that the agent was not sent, because its card does not accept their types; absent when it was sent all. */
  readonly filesLeftOut?: readonly string[];
}

/** Runs a task on an agent, with retries and polls, until it ends or its deadline passes. */
export interface AgentCaller {
  readonly call: (task: AgentTask, agent: AgentRecord, options: AgentCallOptions) => Promise<CallEnd>;
}

/** Clock and timers; the process's own when absent. */
export interface CallTime extends Clock {
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** What all calls of a caller use, and a call before discovery determines the protocol and URL. */
interface CallPlan {
  readonly client: AgentClient;
  readonly breakers: CircuitBreakers;
  readonly discovery: Discovery;
  /** The rate limit of retries, by agent name. */
  readonly tokens: TokenBuckets;
  readonly emit: BridgeEmit;
  readonly time: CallTime;
  readonly ids: AgentCallIds;
  readonly task: AgentTask;
  readonly registered: AgentRecord;
  readonly options: AgentCallOptions;
}

/** A call at one moment. What changes it returns the next value. */
export interface OpenCall extends CallPlan {
  readonly adapter: ProtocolAdapter;
  /** Has the URL that is called. */
  readonly agent: AgentRecord;
  /** The agent's card lists the extension by which it asks people; true without a card, because agents ignore unknown extensions. */
  readonly asksPeople: boolean;
  readonly offersStreams: boolean;
  /** The card offers it, and the agent has not refused it in this call. */
  readonly streams: boolean;
  /** The agent's card could not be fetched because of a temporary problem. */
  readonly isGuess: boolean;
  /** Requests so far that started the task. */
  readonly attempts: number;
  /** The agent's own id of the task, once known. */
  readonly remoteId?: string;
  /** Resolves when `remoteId` is durable. */
  readonly stored?: Promise<void>;
  readonly progress?: string;
  /** The agent may have begun: it opened a stream, or a request that starts the task was sent and its answer was lost. */
  readonly isBegun?: boolean;
  /** The version of A2A that the card chose and the agent rejected, and how. */
  readonly otherVersion?: {
    readonly adapter: ProtocolAdapter;
    readonly ids: AgentCallIds;
    readonly ended: EndedReading;
  };
  /** Set once the agent has ended the task. */
  readonly ended?: EndedReading | undefined;
}

export interface CallRequest {
  readonly operation: AgentOperation;
  /** Returns the body, JSON. */
  readonly make: () => unknown;
  /** Whether the response may be a stream of events. */
  readonly isStream?: boolean;
  /** Identifies the agent's question that this call answers. An event that repeats the question does not end the stream. */
  readonly answered?: string;
  /** Reads the replies of several polls. */
  readonly read?: (reply: AgentReply) => Reading;
}

/** Opens a call in the protocol and at the URL of the agent's current card. Throws an `AgentFailure`, and the signal's reason. */
export async function openCall(plan: CallPlan): Promise<OpenCall> {
  return { ...plan, ...(await chooseWay(plan)), attempts: 0, remoteId: plan.options.remoteId };
}

/** Opens a call again if the agent's card could not be fetched before. Throws like `openCall`. */
export async function reopenCall(call: OpenCall): Promise<OpenCall> {
  return call.isGuess ? { ...call, ...(await chooseWay(call)) } : call;
}

async function chooseWay({ discovery, ids, task, registered, options }: CallPlan) {
  const { adapter, agent, card, isGuess } = await discovery.discover(registered, options.signal);
  const { protocol, takesFiles = true } = adapter;
  const sent = takesFiles ? acceptedBy(card, task) : { ...task, files: [] };
  const streams = card?.streaming ?? false;
  const asksPeople = card?.extensions.includes(hitlUri) ?? true;
  return {
    ids: { ...ids, protocol },
    adapter,
    agent,
    task: sent,
    asksPeople,
    offersStreams: streams,
    streams,
    isGuess,
  };
}

/** Returns the call with the agent's own id of the task, and stores the id. */
export function withRemoteId(call: OpenCall, remoteId: string): OpenCall {
  if (remoteId === call.remoteId) return call;
  const stored = call.options.onRemoteId(remoteId);
  // Awaited after the response is read, because a stream can stay open for a long time.
  stored.catch(() => undefined);
  return { ...call, remoteId, stored };
}

/** Returns the call with the agent's progress, and reports it when it has changed. */
export function withProgress(call: OpenCall, progress: string | undefined): OpenCall {
  if (progress === undefined || progress === call.progress) return call;
  call.options.onProgress?.(progress);
  return { ...call, progress };
}

/** Waits. Ends early when the call is aborted. */
export const pause = ({ time, options }: OpenCall, ms: number): Promise<void> =>
  time.sleep(ms, options.signal).catch(() => undefined);

/**
 * Returns the task with only the files whose media type the card accepts; all files when the card names no input modes.
 */
function acceptedBy(card: CardFacts | undefined, task: AgentTask): AgentTask {
  if (task.files === undefined || card === undefined || card.inputModes.length === 0) return task;
  const isAccepted = ({ media_type }: AgentTaskFile): boolean => acceptsFile(card.inputModes, media_type);
  const files = task.files.filter(isAccepted);
  return files.length === task.files.length ? task : { ...task, files };
}

/** Returns the names of a task's files that were not accepted; undefined when all were. */
export function omittedFiles({ files = [] }: AgentTask, accepted: AgentTask): string[] | undefined {
  const omitted = files.filter((file) => accepted.files?.includes(file) !== true).map(({ name }) => name);
  return omitted.length > 0 ? omitted : undefined;
}

/** Creates the body of a request, JSON text, and reports it. Throws a `ProtocolTranslationError`. */
export function writeBody(call: OpenCall, operation: AgentOperation, make: () => unknown): string {
  const exchange = measure(call, operation);
  try {
    const request = make();
    const body = JSON.stringify(request) as string | undefined;
    if (body === undefined) throw new TypeError(`the adapter ${call.adapter.protocol} has no request for ${operation}`);
    call.emit("protocol_request_translation", { ...call.ids, ...exchange(), request });
    return body;
  } catch (cause) {
    const translated = { direction: "request", originalData: call.task } as const;
    throw reported(call, exchange(), asTranslationError(cause, call, translated));
  }
}

/** Reads a reply, or an event with the stream's reader, and reports it. Throws a `ProtocolTranslationError`. */
export function readReply(
  call: OpenCall,
  { operation, read }: { readonly operation: AgentOperation; readonly read?: CallRequest["read"] },
  reply: AgentReply,
): Reading {
  const exchange = measure(call, operation);
  try {
    const reading = read === undefined ? call.adapter.fromResponse(reply, call.task) : read(reply);
    const { warnings, extractionError } = reading;
    const fields = { ...call.ids, ...exchange(), status: reply.status, bytes: reply.body.byteLength, warnings };
    // Few processes write this line, so its text is made when it is read.
    call.emit("protocol_response_translation", {
      ...fields,
      get response() {
        return textOf(reply);
      },
    });
    if (warnings.length > 0) call.emit("protocol_response_odd", fields);
    if (extractionError !== undefined) reported(call, exchange(), extractionError);
    return reading;
  } catch (cause) {
    const translated = { direction: "response", originalData: textOf(reply) } as const;
    throw reported(call, exchange(), asTranslationError(cause, call, translated));
  }
}

/** The beginning of a reply. The logger shortens it further, and redacts secrets. */
const textOf = ({ body }: AgentReply): string => new TextDecoder().decode(body.subarray(0, 16_384));

function measure(call: OpenCall, operation: AgentOperation): () => AgentExchange {
  const startedAt = performance.now();
  return () => ({ operation, attempt: call.attempts, duration_ms: performance.now() - startedAt });
}

function reported(call: OpenCall, exchange: AgentExchange, error: ProtocolTranslationError): ProtocolTranslationError {
  const { kind, direction, message: because, originalData: data, cause } = error;
  call.emit("protocol_translation_error", { ...call.ids, ...exchange, kind, direction, because, data, cause });
  return error;
}

/** Adapters throw nothing else. An error from a faulty adapter fails the task, too. */
function asTranslationError(
  cause: unknown,
  call: OpenCall,
  { direction, originalData }: { readonly direction: TranslationDirection; readonly originalData: unknown },
): ProtocolTranslationError {
  if (cause instanceof ProtocolTranslationError) return cause;
  const kind: AgentErrorKind = direction === "request" ? "invalid_task" : "internal";
  const message = `The ${direction} could not be translated by the adapter ${call.adapter.protocol}.`;
  return new ProtocolTranslationError(kind, message, { protocol: call.ids.protocol, direction, originalData, cause });
}

/**
 * Returns the headers of a task's request: `X-Correlation-ID`, `traceparent` and `X-Crosszone-Hops` always, that of the extension by which agents ask people, and `Idempotency-Key` from run
 * and task for a request that starts the task, including retries. Polls have no key: a server that caches answers by
 * key would repeat its first answer. Ids can have any characters; those invalid in a header are percent-encoded.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, https://www.w3.org/TR/trace-context/
 */
export function callHeaders(
  { task, options, adapter, asksPeople }: OpenCall,
  operation: AgentOperation,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { ...adapter.headers, "x-correlation-id": headerText(task.correlation_id) };
  if (asksPeople) for (const name of adapter.extensionHeaders ?? []) headers[name] = hitlUri;
  if (operation === "send")
    headers["idempotency-key"] = [task.run_id, task.task_id]
      .map((id) => encodeURIComponent(id.toWellFormed()))
      .join("/");
  headers[hopsHeader] = String(options.hops ?? 1);
  if (options.traceparent !== undefined) headers["traceparent"] = options.traceparent;
  return headers;
}

/** How often a question was passed on, so that zones that ask each other in a loop notice it. */
export const hopsHeader = "x-crosszone-hops";

/** Keeps visible ASCII and encodes everything else. */
function headerText(text: string): string {
  return /^[!-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** Returns whether the task still waits with the question that this call answers, because the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}
