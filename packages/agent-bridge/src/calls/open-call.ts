import { acceptsFile, type CardFacts } from "@crosszone/a2a";
import type { AgentRecord, AgentTask, AgentTaskFile } from "@crosszone/contracts";
import type { TokenBuckets } from "@crosszone/service-kit";
import type { Clock } from "@crosszone/service-kit/timing";
import type { AgentClient } from "../client/agent-client.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { AgentCallIds, AgentOperation, BridgeEmit } from "../events/agent-events.ts";
import type { CircuitBreakers } from "../limits/circuit-breakers.ts";
import type { AgentReply, NormalizedResult, ProtocolAdapter, Reading } from "../protocol/protocol-adapter.ts";
import { hitlUri } from "../protocol/hitl-extension.ts";
import type { CallOptions } from "./agent-caller.ts";

/** Clock and timers; the process's own when absent. */
export interface CallTime extends Clock {
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** What all calls of a caller use. */
export interface CallParts {
  readonly client: AgentClient;
  readonly breakers: CircuitBreakers;
  readonly discovery: Discovery;
  /** The rate limit of retries, by agent name. */
  readonly tokens: TokenBuckets;
  readonly emit: BridgeEmit;
  readonly time: CallTime;
}

/** A call before discovery determines the protocol and URL. */
export interface CallPlan {
  readonly ids: AgentCallIds;
  readonly task: AgentTask;
  readonly registered: AgentRecord;
  readonly options: CallOptions;
}

/** A call at one moment. What changes it returns the next value. */
export interface OpenCall extends CallParts, CallPlan {
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
  readonly otherVersion?: Rejected;
}

interface Rejected {
  readonly adapter: ProtocolAdapter;
  readonly ids: AgentCallIds;
  readonly result: NormalizedResult;
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

/** A call after a step, and its result if that ended it. */
export interface Step {
  readonly call: OpenCall;
  readonly result?: NormalizedResult;
}

/** Opens a call in the protocol and at the URL of the agent's current card. Throws an `AgentFailure`, and the signal's reason. */
export async function openCall(parts: CallParts, plan: CallPlan): Promise<OpenCall> {
  const way = await chooseWay(parts.discovery, plan);
  return { ...parts, ...plan, ...way, attempts: 0, remoteId: plan.options.remoteId };
}

/** Opens a call again if the agent's card could not be fetched before. Throws like `openCall`. */
export async function reopenCall(call: OpenCall): Promise<OpenCall> {
  return call.isGuess ? { ...call, ...(await chooseWay(call.discovery, call)) } : call;
}

async function chooseWay(discovery: Discovery, { ids, task, registered, options }: CallPlan) {
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
export function acceptedBy(card: CardFacts | undefined, task: AgentTask): AgentTask {
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
