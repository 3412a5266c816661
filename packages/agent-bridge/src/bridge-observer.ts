import type { AgentFailure } from "./agent-failure.ts";
import type { NormalisedResult } from "./adapters/protocol-adapter.ts";
import type { ProtocolTranslationError } from "./adapters/protocol-translation-error.ts";
import type { CircuitChange } from "./breaker/create-circuit-breakers.ts";
import type { AgentReply } from "./client/agent-client.ts";

/** Names a task, for logs and metrics. */
export interface AgentTaskIds {
  readonly run_id: string;
  readonly task_id: string;
  readonly agent_name: string;
  readonly correlation_id: string;
  readonly traceparent?: string | undefined;
}

/** Names a call: a task that is given to an agent, in the agent's protocol. */
export interface AgentCallIds extends AgentTaskIds {
  readonly protocol: string;
}

/** Requests to an agent: start a task, poll it, subscribe to its events, cancel it. */
export type AgentOperation = "send" | "poll" | "subscribe" | "cancel";

/** One request of a call. */
export interface AgentExchange {
  readonly operation: AgentOperation;
  /** Requests that started the task, this one included. */
  readonly attempt: number;
  readonly durationMs: number;
}

/** Why a task failed in the bridge itself. */
export interface FailedEnd {
  readonly failure: AgentFailure;
  /** Calls of the agent that were begun; unknown when the one that ran was cut. */
  readonly attempts: number | undefined;
  /** Since the task was stored. */
  readonly durationMs: number;
}

/**
 * What the bridge tells of its work, for log lines, metrics and traces. `durationMs` is in milliseconds. What goes wrong is told
 * once: `translationFailed` and `retried` tell of failures within a call, `callEnded` of the one it ended with.
 */
export interface BridgeObserver {
  /** A request was put into the agent's protocol; `durationMs` is what that took. It is sent now. */
  readonly requestTranslated: (call: AgentCallIds, exchange: AgentExchange & { readonly request: unknown }) => void;
  /** A reply was read; `durationMs` is what reading took. `warnings` say what was odd in it, and did no harm. */
  readonly responseTranslated: (
    call: AgentCallIds,
    exchange: AgentExchange & { readonly reply: AgentReply; readonly warnings: readonly string[] },
  ) => void;
  /** A task could not be put into the protocol, or a reply breaks it; the error has what could not be translated. */
  readonly translationFailed: (
    call: AgentCallIds,
    exchange: AgentExchange & { readonly error: ProtocolTranslationError },
  ) => void;
  /** An attempt failed, and the same request is sent again after `pauseMs`. */
  readonly retried: (
    call: AgentCallIds,
    exchange: AgentExchange & { readonly failure: AgentFailure; readonly pauseMs: number },
  ) => void;
  /** A call came to its end: `result` has the output, or the failure that no attempt is made after. */
  readonly callEnded: (
    call: AgentCallIds,
    end: { readonly attempts: number; readonly durationMs: number; readonly result: NormalisedResult },
  ) => void;
  /** A call was given up because its task was canceled or is another process's; the agent was told if it can be. */
  readonly callAborted: (
    call: AgentCallIds,
    end: { readonly attempts: number; readonly durationMs: number; readonly reason: unknown },
  ) => void;
  /** The agent could not be told to stop a task that is given up. It may go on with it; nobody waits for what it makes. */
  readonly cancelFailed: (call: AgentCallIds, failure: AgentFailure) => void;
  readonly circuitChanged: (change: CircuitChange) => void;

  /** A task was kept; not `isNew` when it was there already, and nothing is done a second time. */
  readonly taskStored: (task: AgentTaskIds, how: { readonly isNew: boolean }) => void;
  /** A task was taken to be worked on; above the first time, the process that had it is gone. `waitedMs` since it was stored. */
  readonly taskTaken: (task: AgentTaskIds, how: { readonly take: number; readonly waitedMs: number }) => void;
  /** The end of a task is durable. `durationMs` since it was stored. */
  readonly taskEnded: (
    task: AgentTaskIds,
    end: { readonly state: AgentTaskEnd; readonly durationMs: number; readonly failure?: AgentFailure | undefined },
  ) => void;
  /** A task failed without a call: no such agent, switched off, past its deadline, unreadable. `taskEnded` follows. */
  readonly taskRefused: (task: AgentTaskIds, end: FailedEnd) => void;
  /** No store takes what a task ended with; a failure takes its place, and `taskEnded` follows when that is durable. */
  readonly resultRefused: (task: AgentTaskIds, end: FailedEnd) => void;
  /** This process works on a task no more. */
  readonly taskLetGo: (task: AgentTaskIds, why: "canceled" | "taken_over" | "stopping") => void;
  /** A message of a channel is no use and went to the dead letters. */
  readonly messageRefused: (message: { readonly channel: string; readonly reason: string }) => void;
  /** The store of tasks did not do what it was asked; it is asked again. */
  readonly storeFailed: (operation: StoreOperation, cause: unknown) => void;
}

export const agentTaskEnds = ["succeeded", "failed", "canceled"] as const;

export type AgentTaskEnd = (typeof agentTaskEnds)[number];

export const storeOperations = ["store", "take", "renew", "end", "cancel", "remote_id", "progress", "forget"] as const;

export type StoreOperation = (typeof storeOperations)[number];

/** An observer that does nothing. */
export const silentObserver: BridgeObserver = {
  requestTranslated: () => undefined,
  responseTranslated: () => undefined,
  translationFailed: () => undefined,
  retried: () => undefined,
  callEnded: () => undefined,
  callAborted: () => undefined,
  cancelFailed: () => undefined,
  circuitChanged: () => undefined,
  taskStored: () => undefined,
  taskTaken: () => undefined,
  taskEnded: () => undefined,
  taskRefused: () => undefined,
  resultRefused: () => undefined,
  taskLetGo: () => undefined,
  messageRefused: () => undefined,
  storeFailed: () => undefined,
};
